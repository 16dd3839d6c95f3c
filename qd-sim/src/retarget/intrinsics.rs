//! The intrinsics that GPU code may call, and what stands for them on the host.
//!
//! What isn't in these tables is refused by name before any code is made of it.
use crate::machine::Machine;
use crate::warp::Kind;

/// A number that a lane can ask for; the code generator passes it to the shim as it is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Id {
    LaneX,
    LaneY,
    LaneZ,
    BlockX,
    BlockY,
    BlockZ,
    BlockSizeX,
    BlockSizeY,
    BlockSizeZ,
    GridX,
    GridY,
    GridZ,
    InWarp,
    WarpSize,
    /// AMD: the address of the hidden arguments.
    HiddenArguments,
    /// AMD: the address of the dispatch packet.
    DispatchPacket,
}

impl Id {
    pub(crate) const ALL: [Id; 16] = [
        Id::LaneX,
        Id::LaneY,
        Id::LaneZ,
        Id::BlockX,
        Id::BlockY,
        Id::BlockZ,
        Id::BlockSizeX,
        Id::BlockSizeY,
        Id::BlockSizeZ,
        Id::GridX,
        Id::GridY,
        Id::GridZ,
        Id::InWarp,
        Id::WarpSize,
        Id::HiddenArguments,
        Id::DispatchPacket,
    ];
}

/// What stands for an intrinsic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Itself: the host's code generator selects it.
    Itself,
    /// Nothing: a hint to the optimiser, or an order that the simulation has anyway.
    Nothing,
    /// A copy of memory: to, from, size.
    Copy,
    /// Filling memory: at, byte, size.
    Fill,
    /// A number of the lane, the block or the launch.
    Id(Id),
    /// A barrier of the block.
    Barrier,
    /// An exchange between lanes of a warp.
    Warp(Kind),
    /// The bits of a mask below the lane, of 32 lanes from the first or the second number, counted and added.
    CountBelow { second: bool },
    /// A function of C's library, of this address, for operands that aren't vectors.
    Function(usize),
    /// The end of the program.
    Trap,
    /// A constant.
    Zero,
}

/// Intrinsics of all targets that the host's code generator selects, as instructions or through the helper table.
const HOST: &[&str] = &[
    "abs",
    "bitreverse",
    "bswap",
    "canonicalize",
    "ceil",
    "copysign",
    "ctlz",
    "ctpop",
    "cttz",
    "experimental.cttz.elts",
    "fabs",
    "floor",
    "fma",
    "fmuladd",
    "fptosi.sat",
    "fptoui.sat",
    "fshl",
    "fshr",
    "is.fpclass",
    "maximum",
    "maximumnum",
    "maxnum",
    "minimum",
    "minimumnum",
    "minnum",
    "nearbyint",
    "ptrmask",
    "rint",
    "round",
    "roundeven",
    "sadd.sat",
    "sadd.with.overflow",
    "scmp",
    "smax",
    "smin",
    "smul.with.overflow",
    "sqrt",
    "sshl.sat",
    "ssub.sat",
    "ssub.with.overflow",
    "trunc",
    "uadd.sat",
    "uadd.with.overflow",
    "ucmp",
    "umax",
    "umin",
    "umul.with.overflow",
    "ushl.sat",
    "usub.sat",
    "usub.with.overflow",
    "vector.reduce.add",
    "vector.reduce.and",
    "vector.reduce.fadd",
    "vector.reduce.fmax",
    "vector.reduce.fmin",
    "vector.reduce.fmul",
    "vector.reduce.mul",
    "vector.reduce.or",
    "vector.reduce.smax",
    "vector.reduce.smin",
    "vector.reduce.umax",
    "vector.reduce.umin",
    "vector.reduce.xor",
];

const HINTS: &[&str] = &[
    "assume",
    "donothing",
    "experimental.noalias.scope.decl",
    "invariant.end",
    "invariant.start",
    "lifetime.end",
    "lifetime.start",
    "prefetch",
    "sideeffect",
];

unsafe extern "C" {
    fn ldexpf(x: f32, exponent: i32) -> f32;
    fn ldexp(x: f64, exponent: i32) -> f64;
}

/// AMD's reciprocal root, which is within one unit in the last place; so is this.
extern "C" fn reciprocal_root_f32(x: f32) -> f32 {
    1.0 / x.sqrt()
}

extern "C" fn reciprocal_root_f64(x: f64) -> f64 {
    1.0 / x.sqrt()
}

/// Intrinsics that the host's code generator makes calls of functions of, which the helper table lacks.
fn function(name: &str) -> Option<usize> {
    let function = match name {
        "ldexp.f32.i32" => ldexpf as *const (),
        "ldexp.f64.i32" => ldexp as *const (),
        "amdgcn.rsq.f32" => reciprocal_root_f32 as *const (),
        "amdgcn.rsq.f64" => reciprocal_root_f64 as *const (),
        _ => return None,
    };
    Some(function.expose_provenance())
}

/// With NVIDIA's names, without `llvm.nvvm.`.
const NVVM: &[(&str, Meaning)] = &[
    ("read.ptx.sreg.tid.x", Meaning::Id(Id::LaneX)),
    ("read.ptx.sreg.tid.y", Meaning::Id(Id::LaneY)),
    ("read.ptx.sreg.tid.z", Meaning::Id(Id::LaneZ)),
    ("read.ptx.sreg.ctaid.x", Meaning::Id(Id::BlockX)),
    ("read.ptx.sreg.ctaid.y", Meaning::Id(Id::BlockY)),
    ("read.ptx.sreg.ctaid.z", Meaning::Id(Id::BlockZ)),
    ("read.ptx.sreg.ntid.x", Meaning::Id(Id::BlockSizeX)),
    ("read.ptx.sreg.ntid.y", Meaning::Id(Id::BlockSizeY)),
    ("read.ptx.sreg.ntid.z", Meaning::Id(Id::BlockSizeZ)),
    ("read.ptx.sreg.nctaid.x", Meaning::Id(Id::GridX)),
    ("read.ptx.sreg.nctaid.y", Meaning::Id(Id::GridY)),
    ("read.ptx.sreg.nctaid.z", Meaning::Id(Id::GridZ)),
    ("read.ptx.sreg.laneid", Meaning::Id(Id::InWarp)),
    ("read.ptx.sreg.warpsize", Meaning::Id(Id::WarpSize)),
    ("barrier.cta.sync.aligned.all", Meaning::Barrier),
    ("barrier.cta.sync.all", Meaning::Barrier),
    ("bar.warp.sync", Meaning::Warp(Kind::Meet)),
    ("shfl.sync.idx", Meaning::Warp(Kind::Index)),
    ("shfl.sync.up", Meaning::Warp(Kind::Up)),
    ("shfl.sync.down", Meaning::Warp(Kind::Down)),
    ("shfl.sync.bfly", Meaning::Warp(Kind::Butterfly)),
    ("vote.any.sync", Meaning::Warp(Kind::Any)),
    ("vote.all.sync", Meaning::Warp(Kind::All)),
    ("vote.uni.sync", Meaning::Warp(Kind::Uniform)),
    ("vote.ballot.sync", Meaning::Warp(Kind::Ballot)),
    // Memory is one, so what orders its accesses adds nothing.
    ("membar.cta", Meaning::Nothing),
    ("membar.gl", Meaning::Nothing),
    ("membar.sys", Meaning::Nothing),
    ("fence.acq_rel.cluster", Meaning::Nothing),
    ("fence.sc.cluster", Meaning::Nothing),
    // No denormal is flushed.
    ("reflect", Meaning::Zero),
];

/// With AMD's names, without `llvm.amdgcn.` and the type they are overloaded on.
const AMDGCN: &[(&str, Meaning)] = &[
    ("workitem.id.x", Meaning::Id(Id::LaneX)),
    ("workitem.id.y", Meaning::Id(Id::LaneY)),
    ("workitem.id.z", Meaning::Id(Id::LaneZ)),
    ("workgroup.id.x", Meaning::Id(Id::BlockX)),
    ("workgroup.id.y", Meaning::Id(Id::BlockY)),
    ("workgroup.id.z", Meaning::Id(Id::BlockZ)),
    ("wavefrontsize", Meaning::Id(Id::WarpSize)),
    ("implicitarg.ptr", Meaning::Id(Id::HiddenArguments)),
    ("dispatch.ptr", Meaning::Id(Id::DispatchPacket)),
    ("s.barrier", Meaning::Barrier),
    ("wave.barrier", Meaning::Warp(Kind::Meet)),
    ("ds.bpermute", Meaning::Warp(Kind::Permute)),
    ("readfirstlane", Meaning::Warp(Kind::First)),
    ("ballot", Meaning::Warp(Kind::Ballot)),
    ("mbcnt.lo", Meaning::CountBelow { second: false }),
    ("mbcnt.hi", Meaning::CountBelow { second: true }),
];

/// `name` is `known`, or that with the types it is overloaded on.
fn is(name: &str, known: &str) -> bool {
    name.strip_prefix(known).is_some_and(|rest| {
        rest.is_empty()
            || rest.strip_prefix('.').is_some_and(|types| {
                types
                    .split('.')
                    .all(|ty| ty == "inline" || ty.chars().any(|c| c.is_ascii_digit()) || matches!(ty, "isVoid"))
            })
    })
}

/// What stands for the intrinsic of this name (with its `llvm.`), on that machine.
pub(super) fn meaning(name: &str, machine: Machine) -> Option<Meaning> {
    let name = name.strip_prefix("llvm.")?;
    let (own, table) = match machine {
        Machine::Nvptx => (name.strip_prefix("nvvm."), NVVM),
        Machine::Amdgpu => (name.strip_prefix("amdgcn."), AMDGCN),
    };
    if let Some(own) = own {
        let known = table.iter().find(|(known, _)| is(own, known)).map(|(_, meaning)| *meaning);
        return known.or_else(|| function(name).map(Meaning::Function));
    }
    let any = |table: &[&str]| table.iter().any(|known| is(name, known));
    match name {
        "trap" | "debugtrap" | "ubsantrap" => Some(Meaning::Trap),
        _ if any(&["memcpy", "memmove"]) => Some(Meaning::Copy),
        _ if any(&["memset"]) => Some(Meaning::Fill),
        _ if any(HINTS) => Some(Meaning::Nothing),
        _ if any(HOST) => Some(Meaning::Itself),
        _ => function(name).map(Meaning::Function),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_from_longer_ones() {
        let of = |name| meaning(name, Machine::Nvptx);
        assert_eq!(of("llvm.fma.f32"), Some(Meaning::Itself));
        assert_eq!(of("llvm.trunc.v2f64"), Some(Meaning::Itself));
        assert_eq!(of("llvm.fptosi.sat.i32.f64"), Some(Meaning::Itself));
        assert_eq!(of("llvm.sin.f32"), None);
        assert!(matches!(of("llvm.ldexp.f64.i32"), Some(Meaning::Function(_))));
        assert_eq!(of("llvm.ldexp.v2f32.v2i32"), None);
        assert_eq!(of("llvm.nvvm.read.ptx.sreg.tid.x"), Some(Meaning::Id(Id::LaneX)));
        assert_eq!(of("llvm.nvvm.read.ptx.sreg.tid.w"), None);
        assert_eq!(of("llvm.amdgcn.workitem.id.x"), None);
        assert_eq!(meaning("llvm.amdgcn.readfirstlane.i32", Machine::Amdgpu), Some(Meaning::Warp(Kind::First)));
        assert_eq!(of("llvm.memcpy.p1.p0.i64"), Some(Meaning::Copy));
        assert_eq!(of("llvm.round.f32"), Some(Meaning::Itself));
        assert_eq!(of("llvm.roundeven.f32"), Some(Meaning::Itself));
    }

    #[test]
    fn numbers_of_ids_are_their_places() {
        for (place, id) in Id::ALL.into_iter().enumerate() {
            assert_eq!(id as usize, place);
        }
    }
}

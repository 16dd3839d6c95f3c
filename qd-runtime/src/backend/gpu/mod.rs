//! GPUs: NVIDIA's and AMD's, compiled for on any machine, and run through what implements [`Device`].
//!
//! A [`Gpu`] without a device only compiles. What is launched, how results and faults come back, is the same for all
//! devices ([`launch`]); CUDA's driver, HIP's runtime or a simulation of them only have to give memory, load code and
//! run an entry.
mod amdgpu;
mod hooks;
mod launch;
mod libclc;
mod lld;
mod nvptx;
pub mod report;
mod uses;

use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::Instant;

use qd_ir::task::Task;

use self::amdgpu::Amdgpu;
use self::hooks::{Flavour, GpuHooks};
use self::launch::GpuTask;
use self::nvptx::Nvptx;
use self::report::GPU_ABI;
use super::{Artifact, Backend, Executable, Form, Identity, Library, compiler_name};
use crate::codegen::CodegenOptions;
use crate::codegen::grid::layout::GridLayout;
use crate::codegen::passes::{self, Compiled, Product};
use crate::error::{Error, ErrorKind, Result};
use crate::llvm;
use crate::target::Target;

pub use self::libclc::VARIABLE as LIBCLC_VARIABLE;
pub use self::lld::VARIABLE as LLD_VARIABLE;

/// What runs GPU code: CUDA's driver, HIP's runtime, or a simulation of them.
///
/// Calls on one device may come from several threads; each launch ends before the call that made it returns.
pub trait Device: Send + Sync {
    /// Memory of the device: its address, aligned to 256 bytes. All zeros.
    ///
    /// # Errors
    /// If there is no room.
    fn alloc(&self, bytes: usize) -> Result<u64>;

    /// Gives memory back that [`alloc`](Device::alloc) gave. A device that can't keeps quiet.
    fn free(&self, at: u64, bytes: usize);

    /// Copies to the device.
    ///
    /// # Errors
    /// What the device reports.
    fn write(&self, at: u64, bytes: &[MaybeUninit<u8>]) -> Result<()>;

    /// Copies from the device.
    ///
    /// # Errors
    /// What the device reports.
    fn read(&self, at: u64, bytes: &mut [MaybeUninit<u8>]) -> Result<()>;

    /// Loads an artifact.
    ///
    /// # Errors
    /// If the device doesn't take it.
    fn load(&self, artifact: &[u8]) -> Result<Box<dyn Module>>;

    /// Whether code can use the host's own memory under the host's addresses: arrays are then not copied.
    fn shares_memory(&self) -> bool {
        false
    }

    /// The most blocks of one launch. More iterations than that many blocks have lanes are shared out in rounds.
    fn most_blocks(&self) -> u32 {
        1 << 20
    }
}

/// Code on a device; it goes away when this is dropped.
pub trait Module: Send + Sync {
    /// Runs an entry with that many blocks of that many lanes, and returns when it has ended. Each argument is a word or
    /// an address.
    ///
    /// # Errors
    /// What the device reports.
    fn launch(&self, entry: &str, blocks: u32, lanes: u32, arguments: &[u64]) -> Result<()>;
}

/// Whether what compiling for a GPU needs beside LLVM is there: the device library, and a linker for AMD's.
///
/// # Errors
/// What is missing, and how to get it.
pub fn check_tools(target: &Target) -> Result<()> {
    let gpu = Gpu::compiler(target.clone());
    libclc::digest(gpu.flavour()?.library())?;
    match gpu.form {
        Form::Hsaco => lld::check(),
        Form::Object | Form::Ptx | Form::Bitcode => Ok(()),
    }
}

/// Compiles for a line of GPUs, and runs on one if it has it.
pub struct Gpu {
    target: Target,
    form: Form,
    device: Option<Arc<dyn Device>>,
}

impl Gpu {
    /// A backend that only compiles.
    pub fn compiler(target: Target) -> Self {
        let form = match target {
            Target::Cpu(_) => Form::Object,
            Target::Cuda(_) => Form::Ptx,
            Target::Amdgpu(_) => Form::Hsaco,
        };
        Gpu { target, form, device: None }
    }

    /// A backend for a simulation of a device, which gets LLVM's bitcode instead of the device's code.
    pub fn simulated(target: Target, device: Arc<dyn Device>) -> Self {
        Gpu { target, form: Form::Bitcode, device: Some(device) }
    }

    fn flavour(&self) -> Result<Box<dyn Flavour>> {
        match &self.target {
            Target::Cuda(cuda) => Ok(Box::new(Nvptx::new(cuda))),
            Target::Amdgpu(amdgpu) => Ok(Box::new(Amdgpu::new(amdgpu))),
            Target::Cpu(_) => Err(Error::internal(format_args!("{} is no GPU", self.target))),
        }
    }

    fn produce(&self, task: &Task, stem: &str, options: CodegenOptions, product: Product) -> Result<Compiled> {
        let (llvm, flavour) = (llvm::get()?, self.flavour()?);
        llvm::initialize(flavour.llvm_name())?;
        // What watches accesses on the CPU has no counterpart.
        let options = CodegenOptions { races: false, ..options };
        passes::compile(llvm, &GpuHooks::new(&*flavour, task), task, stem, options, product)
    }

    fn text(&self, task: &Task, stem: &str, options: CodegenOptions, product: Product) -> Result<String> {
        let bytes = self.produce(task, stem, options, product)?.bytes;
        String::from_utf8(bytes).map_err(|_| Error::internal("LLVM's text isn't UTF-8"))
    }
}

impl Backend for Gpu {
    fn target(&self) -> &Target {
        &self.target
    }

    fn form(&self) -> Form {
        self.form
    }

    fn identity(&self, task: &Task, options: CodegenOptions) -> Result<Identity> {
        let target = match self.form {
            Form::Bitcode => format!("{},bitcode", self.target),
            Form::Object | Form::Ptx | Form::Hsaco => self.target.to_string(),
        };
        let file = self.flavour()?.library();
        let library = libclc::needed(task).then(|| Library { file, digest: libclc::digest(file) });
        let baked = GridLayout::of(task, options).block.to_le_bytes().to_vec();
        Ok(Identity { target, library, baked, abi: GPU_ABI })
    }

    fn compile(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<Artifact> {
        let product = match self.form {
            Form::Ptx => Product::Assembly,
            Form::Object | Form::Hsaco => Product::Object,
            Form::Bitcode => Product::Bitcode,
        };
        let Compiled { mut bytes, lower, passes, mut emit } = self.produce(task, stem, options, product)?;
        if self.form == Form::Hsaco {
            let started = Instant::now();
            bytes = lld::link(&bytes)?;
            emit += started.elapsed();
        }
        Ok(Artifact { bytes, lower, passes, emit, compiler: compiler_name(llvm::get()?) })
    }

    fn assembly(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<String> {
        self.text(task, stem, options, Product::Assembly)
    }

    fn llvm_ir(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<String> {
        self.text(task, stem, options, Product::Ir)
    }

    fn load(&self, task: &Task, stem: &str, options: CodegenOptions, artifact: &[u8]) -> Result<Box<dyn Executable>> {
        let Some(device) = &self.device else {
            let message = format!("this build compiles for {} and doesn't run what it compiled yet", self.target);
            return Err(Error::new(ErrorKind::Unsupported, message));
        };
        Ok(Box::new(GpuTask::new(Arc::clone(device), device.load(artifact)?, task, stem, options)))
    }
}

#[cfg(test)]
mod tests {
    use inkwell::context::Context;
    use qd_ir::task::TaskKind;

    use super::*;
    use crate::codegen::emit::Emit;
    use crate::codegen::hooks::Hooks;

    fn targets() -> [Target; 2] {
        ["cuda,sm_90", "amdgpu,gfx942"].map(|target| target.parse().unwrap())
    }

    /// Intrinsics of floats, and whether they are on the list.
    const TRIED: [(&str, bool); 4] = [("sin", false), ("exp2", false), ("pow", false), ("sqrt", true)];

    /// LLVM would end the process at an intrinsic that it can't select.
    #[test]
    fn an_intrinsic_off_the_list_is_an_error() {
        llvm::get().unwrap();
        for target in targets() {
            let flavour = Gpu::compiler(target).flavour().unwrap();
            let hooks = GpuHooks::new(&*flavour, &Task::new(TaskKind::Serial));
            for (name, selected) in TRIED {
                let context = Context::create();
                let emit = Emit::new(&context, "test", hooks.memory());
                let float = context.f64_type();
                let function = emit.module.add_function("f", float.fn_type(&[float.into()], false), None);
                emit.at(context.append_basic_block(function, ""));
                let x = function.get_nth_param(0).unwrap().into_float_value();
                let args = if name == "pow" { vec![x, x] } else { vec![x] };
                emit.builder
                    .build_return(Some(&emit.float_intrinsic(&["llvm", name].join("."), &args).unwrap()))
                    .unwrap();
                let checked = passes::check_intrinsics(&hooks, &emit.module);
                match selected {
                    true => checked.unwrap(),
                    false => assert!(checked.unwrap_err().to_string().contains(name)),
                }
            }
        }
    }

    #[test]
    fn a_compiler_runs_nothing() {
        let task = Task::new(TaskKind::Serial);
        let options = CodegenOptions { opt_level: 3, checks: true, races: false, block: None };
        for target in targets() {
            let loaded = Gpu::compiler(target).load(&task, "stem", options, &[]);
            let error = loaded.map(|_| ()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported);
        }
    }

    #[test]
    fn keys_have_what_code_depends_on() {
        let task = |op: Option<qd_ir::op::Op>| {
            let mut task = Task::new(TaskKind::Serial);
            if let Some(op) = op {
                let (x, y) = (task.value(qd_ir::types::Scalar::F32), task.value(qd_ir::types::Scalar::F32));
                task.body.0.push(qd_ir::body::Stmt::Op { dst: y, op, args: vec![x], site: None });
            }
            task
        };
        let options = CodegenOptions { opt_level: 3, checks: true, races: false, block: None };
        for target in targets() {
            let compiler = Gpu::compiler(target.clone());
            let identity = |op| compiler.identity(&task(op), options).unwrap();
            assert_eq!(identity(None).target, target.to_string());
            assert!(identity(None).library.is_none());
            assert!(identity(Some(qd_ir::op::Op::Sqrt)).library.is_none());
            identity(Some(qd_ir::op::Op::Sin)).library.unwrap().digest.unwrap();
        }
    }
}

//! x86-64: features that change code, and models to tune for.
//!
//! Left out on purpose: what kernels can't reach (`sha`, `rdrand`, `rtm`…), the tile registers of AMX, features of
//! AMD's Bulldozer line, and `mmx`, which LLVM no longer uses.
use super::Feature;
#[cfg(target_arch = "x86_64")]
use super::GENERIC;

features! {
    "x86_64", is_x86_feature_detected;
    "avx" => ["sse4.2"];
    "avx2" => ["avx"];
    "avx512bf16" => ["avx512bw"];
    "avx512bitalg" => ["avx512bw"];
    "avx512bw" => ["avx512f"];
    "avx512cd" => ["avx512f"];
    "avx512dq" => ["avx512f"];
    "avx512f" => ["avx2", "f16c", "fma"];
    "avx512fp16" => ["avx512bw"];
    "avx512ifma" => ["avx512f"];
    "avx512vbmi" => ["avx512bw"];
    "avx512vbmi2" => ["avx512bw"];
    "avx512vl" => ["avx512f"];
    "avx512vnni" => ["avx512f"];
    "avx512vpopcntdq" => ["avx512f"];
    "avxifma" => ["avx2"];
    "avxvnni" => ["avx2"];
    "avxvnniint16" => ["avx2"];
    "avxvnniint8" => ["avx2"];
    "bmi" = "bmi1" => [];
    "bmi2" => [];
    "f16c" => ["avx"];
    "fma" => ["avx"];
    "gfni" => [];
    "lzcnt" => [];
    "movbe" => [];
    "pclmul" = "pclmulqdq" => [];
    "popcnt" => [];
    "sse3" => [];
    "sse4.1" => ["ssse3"];
    "sse4.2" => ["sse4.1"];
    "ssse3" => ["sse3"];
    "vpclmulqdq" => ["avx", "pclmul"];
}

/// With which feature LLVM is told to prefer what.
///
/// Scatters are never faster than the stores they stand for. LLVM thinks they are, and makes gathers and scatters of a
/// struct's fields that are updated in place, which takes two to four times as long as putting vectors together from
/// whole structs.
pub(super) const PREFERENCES: &[(&str, &str)] = &[("avx512f", "prefer-no-scatter")];

/// A line of CPUs, by what `cpuid` calls them.
pub(super) struct Model {
    /// LLVM's name.
    pub(super) name: &'static str,
    vendor: &'static str,
    family: u32,
    /// Inclusive ranges.
    models: &'static [(u32, u32)],
}

const fn intel(name: &'static str, models: &'static [(u32, u32)]) -> Model {
    Model { name, vendor: "GenuineIntel", family: 6, models }
}

const fn amd(name: &'static str, family: u32, models: &'static [(u32, u32)]) -> Model {
    Model { name, vendor: "AuthenticAMD", family, models }
}

pub(super) const MODELS: &[Model] = &[
    intel("sandybridge", &[(0x2a, 0x2a), (0x2d, 0x2d)]),
    intel("ivybridge", &[(0x3a, 0x3a), (0x3e, 0x3e)]),
    intel("haswell", &[(0x3c, 0x3c), (0x3f, 0x3f), (0x45, 0x46)]),
    intel("broadwell", &[(0x3d, 0x3d), (0x47, 0x47), (0x4f, 0x4f), (0x56, 0x56)]),
    intel("skylake", &[(0x4e, 0x4e), (0x5e, 0x5e), (0x8e, 0x8e), (0x9e, 0x9e), (0xa5, 0xa6)]),
    // Cascade Lake and Cooper Lake too.
    intel("skylake-avx512", &[(0x55, 0x55)]),
    intel("rocketlake", &[(0xa7, 0xa7)]),
    intel("icelake-client", &[(0x7d, 0x7e)]),
    intel("icelake-server", &[(0x6a, 0x6a), (0x6c, 0x6c)]),
    intel("tigerlake", &[(0x8c, 0x8d)]),
    // Raptor Lake and Meteor Lake too.
    intel("alderlake", &[(0x97, 0x97), (0x9a, 0x9a), (0xaa, 0xac), (0xb7, 0xb7), (0xba, 0xba), (0xbf, 0xbf)]),
    intel("arrowlake", &[(0xb5, 0xb5), (0xc5, 0xc5)]),
    intel("arrowlake-s", &[(0xbd, 0xbd), (0xc6, 0xc6)]),
    intel("pantherlake", &[(0xcc, 0xcc)]),
    // Emerald Rapids too.
    intel("sapphirerapids", &[(0x8f, 0x8f), (0xcf, 0xcf)]),
    intel("graniterapids", &[(0xad, 0xae)]),
    intel("goldmont", &[(0x5c, 0x5c), (0x5f, 0x5f)]),
    intel("goldmont-plus", &[(0x7a, 0x7a)]),
    intel("tremont", &[(0x86, 0x86), (0x8a, 0x8a), (0x96, 0x96), (0x9c, 0x9c)]),
    intel("gracemont", &[(0xbe, 0xbe)]),
    intel("sierraforest", &[(0xaf, 0xaf), (0xb6, 0xb6)]),
    amd("znver1", 0x17, &[(0x00, 0x2f)]),
    amd("znver2", 0x17, &[(0x30, 0xff)]),
    amd("znver3", 0x19, &[(0x00, 0x0f), (0x20, 0x5f)]),
    amd("znver4", 0x19, &[(0x10, 0x1f), (0x60, 0x7f), (0xa0, 0xaf)]),
    amd("znver5", 0x1a, &[(0x00, 0x4f), (0x60, 0x77)]),
];

/// The tuning for these numbers of `cpuid`.
#[cfg_attr(not(any(target_arch = "x86_64", test)), expect(dead_code, reason = "only used on x86-64"))]
fn tuning(vendor: &str, family: u32, model: u32) -> Option<&'static str> {
    let row = MODELS.iter().find(|row| {
        row.vendor == vendor
            && row.family == family
            && row.models.iter().any(|&(first, last)| (first..=last).contains(&model))
    });
    row.map(|row| row.name)
}

/// The tuning for this machine.
#[cfg(target_arch = "x86_64")]
pub(super) fn detect_tuning() -> &'static str {
    use std::arch::x86_64::__cpuid;
    let identity = __cpuid(0);
    let vendor = [identity.ebx, identity.edx, identity.ecx].map(u32::to_le_bytes).concat();
    let signature = __cpuid(1).eax;
    let field = |first_bit: u32, bits: u32| (signature >> first_bit) & ((1 << bits) - 1);
    let (mut family, mut model) = (field(8, 4), field(4, 4));
    // The extended fields count where the short ones are used up.
    if family == 6 || family == 15 {
        model |= field(16, 4) << 4;
    }
    if family == 15 {
        family += field(20, 8);
    }
    std::str::from_utf8(&vendor).ok().and_then(|vendor| tuning(vendor, family, model)).unwrap_or(GENERIC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_found_by_their_numbers() {
        let rows = [
            ("AuthenticAMD", 0x1a, 0x02, Some("znver5")),
            ("AuthenticAMD", 0x19, 0x01, Some("znver3")),
            ("AuthenticAMD", 0x19, 0x11, Some("znver4")),
            ("AuthenticAMD", 0x17, 0x31, Some("znver2")),
            ("AuthenticAMD", 0x10, 0x02, None),
            ("GenuineIntel", 6, 0x55, Some("skylake-avx512")),
            ("GenuineIntel", 6, 0x8f, Some("sapphirerapids")),
            ("GenuineIntel", 15, 0x04, None),
            ("Unheard of!!", 6, 0x55, None),
        ];
        for (vendor, family, model, expected) in rows {
            assert_eq!(tuning(vendor, family, model), expected, "{vendor} {family:#x} {model:#x}");
        }
    }

    #[test]
    fn no_model_is_in_two_rows() {
        for (index, row) in MODELS.iter().enumerate() {
            for &(first, last) in row.models {
                assert_eq!(tuning(row.vendor, row.family, first), Some(row.name));
                assert_eq!(tuning(row.vendor, row.family, last), Some(row.name));
                assert!(first <= last, "{index}");
            }
        }
    }
}

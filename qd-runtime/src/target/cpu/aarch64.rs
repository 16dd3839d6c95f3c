//! AArch64: features that change code, and models to tune for.
use super::Feature;
#[cfg(target_arch = "aarch64")]
use super::GENERIC;

/// With which feature LLVM is told to prefer what: nothing so far.
pub(super) const PREFERENCES: &[(&str, &str)] = &[];

features! {
    "aarch64", is_aarch64_feature_detected;
    "bf16" => ["neon"];
    "complxnum" = "fcma" => ["neon"];
    "dotprod" => ["neon"];
    "f32mm" => ["sve"];
    "f64mm" => ["sve"];
    "fp16fml" = "fhm" => ["fullfp16"];
    "fptoint" = "frintts" => [];
    "fullfp16" = "fp16" => [];
    "i8mm" => ["neon"];
    "jsconv" => [];
    "lse" => [];
    "lse2" => [];
    "neon" => [];
    "rcpc" => [];
    "rcpc-immo" = "rcpc2" => ["rcpc"];
    "rdm" => ["neon"];
    "sha2" => ["neon"];
    "sha3" => ["sha2"];
    "sve" => ["fullfp16"];
    "sve2" => ["sve"];
}

/// A core, by what `MIDR_EL1` calls it.
pub(super) struct Model {
    /// LLVM's name.
    pub(super) name: &'static str,
    implementer: u32,
    parts: &'static [u32],
}

const ARM: u32 = 0x41;

pub(super) const MODELS: &[Model] = &[
    Model { name: "cortex-a53", implementer: ARM, parts: &[0xd03] },
    Model { name: "cortex-a55", implementer: ARM, parts: &[0xd05] },
    Model { name: "cortex-a57", implementer: ARM, parts: &[0xd07] },
    Model { name: "cortex-a72", implementer: ARM, parts: &[0xd08] },
    Model { name: "cortex-a76", implementer: ARM, parts: &[0xd0b] },
    Model { name: "neoverse-n1", implementer: ARM, parts: &[0xd0c] },
    Model { name: "neoverse-v1", implementer: ARM, parts: &[0xd40] },
    Model { name: "cortex-a78", implementer: ARM, parts: &[0xd41] },
    Model { name: "cortex-x1", implementer: ARM, parts: &[0xd44] },
    Model { name: "neoverse-n2", implementer: ARM, parts: &[0xd49] },
    Model { name: "neoverse-v2", implementer: ARM, parts: &[0xd4f] },
    Model { name: "neoverse-v3", implementer: ARM, parts: &[0xd84] },
    Model { name: "neoverse-n3", implementer: ARM, parts: &[0xd8e] },
    Model { name: "a64fx", implementer: 0x46, parts: &[0x001] },
    Model { name: "apple-m1", implementer: 0x61, parts: &[0x022, 0x023, 0x024, 0x025, 0x028, 0x029] },
    Model { name: "apple-m2", implementer: 0x61, parts: &[0x032, 0x033, 0x034, 0x035, 0x038, 0x039] },
    Model { name: "ampere1", implementer: 0xc0, parts: &[0xac3] },
    Model { name: "ampere1a", implementer: 0xc0, parts: &[0xac4] },
];

/// The tuning for this content of `MIDR_EL1`.
#[cfg_attr(not(any(target_arch = "aarch64", test)), expect(dead_code, reason = "only used on AArch64"))]
fn tuning(midr: u64) -> Option<&'static str> {
    let field = |first_bit: u32, bits: u32| ((midr >> first_bit) & ((1 << bits) - 1)) as u32;
    let (implementer, part) = (field(24, 8), field(4, 12));
    let row = MODELS.iter().find(|row| row.implementer == implementer && row.parts.contains(&part));
    row.map(|row| row.name)
}

/// The tuning for this machine; of a machine with unlike cores, for the first.
#[cfg(target_arch = "aarch64")]
pub(super) fn detect_tuning() -> &'static str {
    let register = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
    let digits = register.as_deref().ok().and_then(|text| text.trim().strip_prefix("0x"));
    digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).and_then(tuning).unwrap_or(GENERIC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_found_by_their_numbers() {
        assert_eq!(tuning(0x0000_0000_413f_d0c1), Some("neoverse-n1"));
        assert_eq!(tuning(0x0000_0000_460f_0010), Some("a64fx"));
        assert_eq!(tuning(0x0000_0000_410f_d0ff), None);
    }
}

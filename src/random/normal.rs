//! Quantiles of the normal distribution: PPND7 and PPND16 of Wichura, "Algorithm AS 241: The percentage points of the
//! normal distribution", Applied Statistics 37 (1988), pages 477 to 484.
//!
//! The argument isn't a probability but random bits. The highest is the sign; the others are the number of a step, in
//! the middle of which the probability lies, so neither 0 nor 1 comes up. The distances from 1/2 and from the end are both
//! computed from the whole number, so neither loses digits.
#![allow(clippy::excessive_precision, reason = "the digits as they were published")]

use crate::func;

/// The quantile for 32 random bits, to about 7 digits.
#[func(crate = crate)]
#[inline]
pub fn quantile_f32(bits: u32) -> f32 {
    const UNIT: f32 = 1.0 / 4_294_967_296.0;
    let n = bits & 0x7fff_ffff;
    let q = (n as f32 + 0.5) * UNIT;
    let size = if q <= 0.425 {
        let r = 0.180_625 - q * q;
        let above = ((59.109_374 * r + 159.291_13) * r + 50.434_27) * r + 3.387_132_7;
        let below = ((67.187_56 * r + 78.757_76) * r + 17.895_17) * r + 1.0;
        q * above / below
    } else {
        let end = ((0x7fff_ffff - n) as f32 + 0.5) * UNIT;
        // At most 4.8, so of the two approximations for the tail this one is enough.
        let r = (-end.ln()).sqrt() - 1.6;
        let above = ((0.170_238_21 * r + 1.306_728_5) * r + 2.756_815_4) * r + 1.423_437_3;
        let below = (0.120_211_33 * r + 0.737_001_6) * r + 1.0;
        above / below
    };
    if bits >> 31 == 1 { -size } else { size }
}

/// The quantile for the highest 53 of 64 random bits, to about 16 digits.
#[func(crate = crate)]
#[inline]
pub fn quantile_f64(bits: u64) -> f64 {
    const UNIT: f64 = 1.0 / 9_007_199_254_740_992.0;
    const MOST: u64 = (1 << 52) - 1;
    let n = bits >> 11 & MOST;
    let q = (n as f64 + 0.5) * UNIT;
    let size = if q <= 0.425 {
        let r = 0.180_625 - q * q;
        let above = 2.509_080_928_730_122_672_7e3 * r + 3.343_057_558_358_812_810_5e4;
        let above = above * r + 6.726_577_092_700_870_085_3e4;
        let above = above * r + 4.592_195_393_154_987_145_7e4;
        let above = above * r + 1.373_169_376_550_946_112_5e4;
        let above = above * r + 1.971_590_950_306_551_442_7e3;
        let above = above * r + 1.331_416_678_917_843_774_5e2;
        let above = above * r + 3.387_132_872_796_366_608;
        let below = 5.226_495_278_852_854_561e3 * r + 2.872_908_573_572_194_267_4e4;
        let below = below * r + 3.930_789_580_009_271_061e4;
        let below = below * r + 2.121_379_430_158_659_586_7e4;
        let below = below * r + 5.394_196_021_424_751_107_7e3;
        let below = below * r + 6.871_870_074_920_579_083e2;
        let below = below * r + 4.231_333_070_160_091_125_2e1;
        q * above / (below * r + 1.0)
    } else {
        let end = ((MOST - n) as f64 + 0.5) * UNIT;
        let r = (-end.ln()).sqrt();
        if r <= 5.0 {
            let r = r - 1.6;
            let above = 7.745_450_142_783_414_076_4e-4 * r + 2.272_384_498_926_918_458_33e-2;
            let above = above * r + 2.417_807_251_774_506_117_7e-1;
            let above = above * r + 1.270_458_252_452_368_382_58;
            let above = above * r + 3.647_848_324_763_204_605_04;
            let above = above * r + 5.769_497_221_460_691_405_5;
            let above = above * r + 4.630_337_846_156_545_295_9;
            let above = above * r + 1.423_437_110_749_683_577_34;
            let below = 1.050_750_071_644_416_843_24e-9 * r + 5.475_938_084_995_344_946e-4;
            let below = below * r + 1.519_866_656_361_645_719_66e-2;
            let below = below * r + 1.481_039_764_274_800_745_9e-1;
            let below = below * r + 6.897_673_349_851_000_045_5e-1;
            let below = below * r + 1.676_384_830_183_803_849_4;
            let below = below * r + 2.053_191_626_637_758_821_87;
            above / (below * r + 1.0)
        } else {
            let r = r - 5.0;
            let above = 2.010_334_399_292_288_132_65e-7 * r + 2.711_555_568_743_487_578_15e-5;
            let above = above * r + 1.242_660_947_388_078_438_6e-3;
            let above = above * r + 2.653_218_952_657_612_309_3e-2;
            let above = above * r + 2.965_605_718_285_048_912_3e-1;
            let above = above * r + 1.784_826_539_917_291_335_8;
            let above = above * r + 5.463_784_911_164_114_369_9;
            let above = above * r + 6.657_904_643_501_103_777_2;
            let below = 2.044_263_103_389_939_785_64e-15 * r + 1.421_511_758_316_445_888_7e-7;
            let below = below * r + 1.846_318_317_510_054_681_8e-5;
            let below = below * r + 7.868_691_311_456_132_591e-4;
            let below = below * r + 1.487_536_129_085_061_485_25e-2;
            let below = below * r + 1.369_298_809_227_358_053_1e-1;
            let below = below * r + 5.998_322_065_558_879_376_9e-1;
            above / (below * r + 1.0)
        }
    };
    if bits >> 63 == 1 { -size } else { size }
}

//! Sketches and functions as bytes: what the macro embeds and the runtime reads.
use serde::{Deserialize, Serialize};

use super::{Func, SCHEMA, Sketch};

/// Why embedded bytes are no sketch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Macro and runtime are of different versions.
    #[error("the kernel was expanded by a qd macro of schema {found}, this runtime reads schema {SCHEMA}")]
    Schema {
        /// Schema in the bytes.
        found: u32,
    },
    /// Not an encoding of a sketch.
    #[error("the embedded kernel can't be decoded: {0}")]
    Malformed(String),
}

impl Sketch {
    /// The bytes that the macro embeds.
    pub fn encode(&self) -> Vec<u8> {
        encode(self)
    }

    /// The sketch of those bytes.
    pub fn decode(bytes: &[u8]) -> Result<Sketch, DecodeError> {
        decode(bytes)
    }
}

impl Func {
    /// The bytes that the macro embeds.
    pub fn encode(&self) -> Vec<u8> {
        encode(self)
    }

    /// The function of those bytes.
    pub fn decode(bytes: &[u8]) -> Result<Func, DecodeError> {
        decode(bytes)
    }
}

fn encode(sketch: &impl Serialize) -> Vec<u8> {
    // A sketch has no maps and no parts of unknown length: nothing that postcard could refuse, and memory grows.
    postcard::to_allocvec(sketch).expect("a sketch can be encoded")
}

/// Both kinds of sketch begin with the schema.
fn decode<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Result<T, DecodeError> {
    let (schema, _) = postcard::take_from_bytes::<u32>(bytes).map_err(|e| DecodeError::Malformed(e.to_string()))?;
    if schema != SCHEMA {
        return Err(DecodeError::Schema { found: schema });
    }
    postcard::from_bytes(bytes).map_err(|e| DecodeError::Malformed(e.to_string()))
}

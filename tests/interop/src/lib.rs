//! The tests beside this file need crates that qd's own tests and examples would otherwise be built with, too.

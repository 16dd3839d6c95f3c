#[derive(Clone, Copy, qd::Data)]
#[repr(u8)]
enum Phase {
    Idle,
    Run,
}

impl PartialEq for Phase {
    fn eq(&self, _: &Phase) -> bool {
        true
    }
}

fn main() {}

//! What a run was measured on, and how much of the machine others used meanwhile.
use std::fs;

/// CPU, cores and the compilers' versions, as lines of a Markdown list.
pub fn describe(threads: usize, compilers: &[crate::native::Compiler]) -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpu.lines().find(|line| line.starts_with(name)).and_then(|line| line.split_once(": "));
        line.map_or("unknown", |(_, value)| value.trim()).to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut lines = vec![format!(
        "- {} (family {}, model {}), {cores} cores; {threads} threads in every system",
        field("model name"),
        field("cpu family"),
        field("model\t")
    )];
    lines.push(format!("- qd target: `{}`", qd::Target::host()));
    for compiler in compilers {
        lines.push(format!("- {}: {}", compiler.name, compiler.version));
    }
    lines.push(format!(
        "- C flags: `{}`; rayon: release profile, `-C target-cpu=native`",
        crate::native::Compiler::flags()
    ));
    lines.join("\n")
}

/// CPU time of the machine and of this process with its children up to a moment, in clock ticks.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    machine: u64,
    own: u64,
    all: u64,
}

impl Usage {
    /// Until now; `None` where there is no `/proc`.
    pub fn now() -> Option<Self> {
        let machine = fs::read_to_string("/proc/stat").ok()?;
        let ticks: Vec<u64> =
            machine.lines().next()?.split_whitespace().skip(1).take(8).filter_map(|n| n.parse().ok()).collect();
        let [user, nice, system, idle, iowait, irq, softirq, steal] = ticks[..] else { return None };
        let own = fs::read_to_string("/proc/self/stat").ok()?;
        // After the command in parentheses: fields 14 to 17 of proc(5) are its times and those of its children.
        let own = own.rsplit_once(") ")?.1.split(' ').skip(11).take(4).filter_map(|n| n.parse::<u64>().ok()).sum();
        let busy = user + nice + system + irq + softirq + steal;
        Some(Usage { machine: busy, own, all: busy + idle + iowait })
    }

    /// The share of the machine's CPUs that others used since `self`.
    pub fn others(self) -> Option<f64> {
        let now = Usage::now()?;
        let others = (now.machine - self.machine).saturating_sub(now.own - self.own);
        Some(others as f64 / (now.all - self.all).max(1) as f64)
    }
}

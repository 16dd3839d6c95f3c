//! What `dump_dir` asks for: a kernel's stages as text files. A file that can't be written is a warning.
use std::fs;
use std::path::Path;

use qd_ir::plan;
use qd_ir::text;

use super::registry::KernelDesc;
use crate::key::TaskKey;

/// Writes the typed kernel and the keys of its tasks to `<folder>/<module>.<name>.ir`.
pub(super) fn kernel(folder: &Path, desc: &KernelDesc, kernel: &plan::Kernel, keys: impl Iterator<Item = TaskKey>) {
    let mut content = format!("// {}:{}\n", desc.file, desc.line);
    for (index, key) in keys.enumerate() {
        content.push_str(&format!("// task {index}: {key}\n"));
    }
    content.push_str(&text::print(kernel));
    write(folder, &format!("{}.{}.ir", desc.module.replace("::", "."), desc.name), content.as_bytes());
}

/// Writes one stage of a task's compile.
pub(super) fn write(folder: &Path, name: &str, content: &[u8]) {
    let file = folder.join(name);
    if let Err(error) = fs::create_dir_all(folder).and_then(|()| fs::write(&file, content)) {
        tracing::warn!(%error, file = %file.display(), "a stage of a compile could not be written");
    }
}

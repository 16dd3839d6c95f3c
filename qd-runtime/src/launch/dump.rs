//! What `dump_dir` asks for: a kernel's stages as text files. A file that can't be made or written is a warning.
use std::fs;
use std::path::Path;

use qd_ir::plan;
use qd_ir::task::Task;
use qd_ir::text;

use super::registry::KernelDesc;
use crate::backend::Backend;
use crate::codegen::CodegenOptions;
use crate::error::Result;
use crate::key::TaskKey;
use crate::target::Target;

/// Writes the typed kernel and the keys of its tasks to `<folder>/<module>.<name>.ir`.
pub(super) fn kernel(folder: &Path, desc: &KernelDesc, kernel: &plan::Kernel, keys: impl Iterator<Item = TaskKey>) {
    let mut content = format!("// {}:{}\n", desc.file, desc.line);
    for (index, key) in keys.enumerate() {
        content.push_str(&format!("// task {index}: {key}\n"));
    }
    content.push_str(&text::print(kernel));
    write(folder, &format!("{}.ir", stem(desc)), &content);
}

/// Writes LLVM's IR after the passes and the assembly of a task that is compiled for a kernel to
/// `<folder>/<module>.<name>.<key>.ll` and `.s`, of NVIDIA's GPUs `.ptx`.
pub(super) fn task(
    folder: &Path,
    desc: &KernelDesc,
    key: &TaskKey,
    task: &Task,
    backend: &dyn Backend,
    options: CodegenOptions,
) {
    let symbol = key.symbol();
    let assembly = match backend.target() {
        Target::Cuda(_) => "ptx",
        Target::Cpu(_) | Target::Amdgpu(_) => "s",
    };
    let stages: [(&str, Result<String>); 2] =
        [("ll", backend.llvm_ir(task, &symbol, options)), (assembly, backend.assembly(task, &symbol, options))];
    for (extension, stage) in stages {
        match stage {
            Ok(content) => write(folder, &format!("{}.{key}.{extension}", stem(desc)), &content),
            Err(error) => tracing::warn!(%error, %key, "a stage of a compile could not be made again"),
        }
    }
}

/// How the files of a kernel begin.
fn stem(desc: &KernelDesc) -> String {
    format!("{}.{}", desc.module.replace("::", "."), desc.name)
}

fn write(folder: &Path, name: &str, content: &str) {
    let file = folder.join(name);
    if let Err(error) = fs::create_dir_all(folder).and_then(|()| fs::write(&file, content)) {
        tracing::warn!(%error, file = %file.display(), "a stage of a compile could not be written");
    }
}

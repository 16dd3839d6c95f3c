//! Which loaded file an address belongs to, and that file's build id. Knows nothing of LLVM.
use std::ffi::{CStr, OsStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// A file mapped into this process.
#[derive(Debug, PartialEq)]
pub(super) struct LoadedFile {
    pub(super) path: PathBuf,
    pub(super) build_id: Option<String>,
}

/// The file whose mapped segments hold `address`.
pub(super) fn file_at(address: *const ()) -> Option<LoadedFile> {
    let mut search = Search { address: address as usize, found: None };
    // SAFETY: `visit` matches the expected signature and gets back the pointer to `search`, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast()) };
    search.found
}

struct Search {
    address: usize,
    found: Option<LoadedFile>,
}

unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _size: usize, search: *mut c_void) -> c_int {
    // SAFETY: the dynamic linker passes a valid record, and the pointer that `file_at` gave it.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    // SAFETY: the record's program headers are `dlpi_phnum` of them, at `dlpi_phdr`, mapped while we are called.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    // Addresses of a position-independent file are offsets from where it was put.
    let start = |header: &libc::Elf64_Phdr| (info.dlpi_addr as usize).wrapping_add(header.p_vaddr as usize);
    let holds_address = |header: &libc::Elf64_Phdr| {
        header.p_type == libc::PT_LOAD && search.address.wrapping_sub(start(header)) < header.p_memsz as usize
    };
    if !headers.iter().any(holds_address) {
        return 0;
    }
    let build_id = headers.iter().filter(|header| header.p_type == libc::PT_NOTE).find_map(|header| {
        let notes = std::ptr::with_exposed_provenance::<u8>(start(header));
        // SAFETY: a note segment lies within a loaded segment of the same, mapped file and is never written to.
        let notes = unsafe { std::slice::from_raw_parts(notes, header.p_memsz as usize) };
        gnu_build_id(notes, header.p_align as usize)
    });
    // SAFETY: the record's name is a terminated string.
    let name = unsafe { CStr::from_ptr(info.dlpi_name) }.to_bytes();
    // The program itself is listed without a name.
    let path =
        if name.is_empty() { std::env::current_exe().unwrap_or_default() } else { OsStr::from_bytes(name).into() };
    search.found = Some(LoadedFile { path, build_id });
    1
}

/// The build id in a note segment, in hexadecimal.
fn gnu_build_id(mut notes: &[u8], alignment: usize) -> Option<String> {
    const NT_GNU_BUILD_ID: usize = 3;
    let alignment = alignment.max(4);
    loop {
        // A note: length of its owner's name, length of its content, type; then the two, each padded.
        let word = |index: usize| -> Option<usize> {
            let bytes = notes.get(4 * index..)?.first_chunk()?;
            usize::try_from(u32::from_ne_bytes(*bytes)).ok()
        };
        let (owner_size, size, kind) = (word(0)?, word(1)?, word(2)?);
        let content = owner_size.checked_add(12)?.checked_next_multiple_of(alignment)?;
        let end = content.checked_add(size)?;
        let (owner, bytes) = (notes.get(12..12 + owner_size)?, notes.get(content..end)?);
        if kind == NT_GNU_BUILD_ID && owner == b"GNU\0" {
            return Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        notes = notes.get(end.checked_next_multiple_of(alignment)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(owner: &[u8], kind: u32, content: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for word in [owner.len() as u32, content.len() as u32, kind] {
            bytes.extend(word.to_ne_bytes());
        }
        for part in [owner, content] {
            bytes.extend(part);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        bytes
    }

    #[test]
    fn the_build_id_is_found_behind_other_notes() {
        let notes = [note(b"Rust\0", 3, &[9; 5]), note(b"GNU\0", 1, &[8]), note(b"GNU\0", 3, &[0xab, 0x01])].concat();
        assert_eq!(gnu_build_id(&notes, 4).as_deref(), Some("ab01"));
    }

    #[test]
    fn damaged_notes_have_no_build_id() {
        let whole = note(b"GNU\0", 3, &[1, 2, 3, 4]);
        for length in 0..whole.len() {
            assert_eq!(gnu_build_id(&whole[..length], 4), None);
        }
        assert_eq!(gnu_build_id(&[0xff; 64], 4), None);
    }

    #[test]
    fn an_address_of_this_program_is_in_this_program() {
        let file = file_at(file_at as *const ()).unwrap();
        assert_eq!(file.path.canonicalize().unwrap(), std::env::current_exe().unwrap().canonicalize().unwrap());
        assert_eq!(file_at(std::ptr::null()), None);
    }
}

//! Whether memory can be had, asked before it is taken.

use thiserror::Error;

/// More memory was asked for than there is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{wanted} MiB of memory cannot be had here{}: ask for less", free_words(*.free))]
pub struct MemoryError {
    /// What was asked for, in MiB.
    pub wanted: usize,
    /// What is free, in MiB, where that is known.
    pub free: Option<usize>,
}

fn free_words(free: Option<usize>) -> String {
    free.map_or(String::new(), |free| format!(" ({free} MiB are free)"))
}

/// Refuses so many MiB if they cannot be had. A table for which there is no room would end the program
/// without a word, at once or when it has filled up.
///
/// ```
/// assert!(engine::check_memory(1).is_ok());
/// assert!(engine::check_memory(usize::MAX).is_err());
/// ```
pub fn check_memory(mebibytes: usize) -> Result<(), MemoryError> {
    let free = free_mebibytes();
    let bytes = mebibytes.checked_mul(1 << 20);
    let is_given = bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    if is_given && free.is_none_or(|free| mebibytes <= free) {
        return Ok(());
    }
    Err(MemoryError { wanted: mebibytes, free })
}

/// What the system can give without taking it from others, where it tells: the less of what is
/// available and of what a container allows.
fn free_mebibytes() -> Option<usize> {
    let available = std::fs::read_to_string("/proc/meminfo").ok();
    let available = available.and_then(|text| available_mebibytes(&text));
    let allowed = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let allowed = allowed.and_then(|bytes| bytes.trim().parse::<u64>().ok());
    let allowed = allowed.map(|bytes| (bytes >> 20) as usize);
    available.into_iter().chain(allowed).min()
}

/// The line `MemAvailable:   23002112 kB` of Linux.
fn available_mebibytes(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_cannot_be_had_is_refused_with_a_remedy() {
        assert_eq!(check_memory(0), Ok(()));
        assert_eq!(check_memory(8), Ok(()));
        for wanted in [1 << 30, usize::MAX] {
            let error = check_memory(wanted).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{wanted} MiB of memory cannot be had")), "{error}");
            assert!(error.ends_with(": ask for less"), "{error}");
        }
    }

    #[test]
    fn what_linux_tells_is_read() {
        let text = "MemTotal:       24683520 kB\nMemAvailable:   23002112 kB\n";
        assert_eq!(available_mebibytes(text), Some(22463));
        assert_eq!(available_mebibytes("MemFree: 1 kB\n"), None);
    }
}

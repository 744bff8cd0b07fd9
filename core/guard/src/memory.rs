//! Whether memory can be had, asked before it is taken.

use std::fs;
use std::path::Path;

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
/// assert!(guard::check_memory(1).is_ok());
/// assert!(guard::check_memory(usize::MAX).is_err());
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
    least_of("MemAvailable:")
}

/// The memory of the machine or the limit of its container, whichever is less, in MiB. Nothing, where the system states
/// neither.
pub fn total_mebibytes() -> Option<usize> {
    least_of("MemTotal:")
}

/// The less of a line of `/proc/meminfo` and of what a container allows, in MiB.
fn least_of(name: &str) -> Option<usize> {
    let machine = fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.and_then(|text| mebibytes_of_line(&text, name));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let allowed = cgroup_limit(Path::new("/sys/fs/cgroup"), &groups);
    let allowed = allowed.map(|bytes| usize::try_from(bytes >> 20).unwrap_or(usize::MAX));
    machine.into_iter().chain(allowed).min()
}

/// A line such as `MemAvailable:   23002112 kB` of Linux.
fn mebibytes_of_line(meminfo: &str, name: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes >> 10)
}

/// The least limit of the control groups that a process is in, in bytes. `groups` is what `/proc/self/cgroup` says:
/// `0::/a/b` for version 2, `5:memory:/a/b` for version 1. A group is limited by those above it too. Inside a container, the
/// path may be one of the machine outside; then the limit is found at the root.
fn cgroup_limit(root: &Path, groups: &str) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (root, file) = match controllers {
            "" => (root.to_path_buf(), "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let group = root.join(path.trim_start_matches('/'));
        let above = group.ancestors().take_while(|folder| folder.starts_with(&root));
        // Without a limit, version 2 says "max", and version 1 a number that no machine has.
        above
            .filter_map(|folder| fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok())
            .min()
    });
    limits.min()
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
        assert_eq!(mebibytes_of_line(text, "MemAvailable:"), Some(22463));
        assert_eq!(mebibytes_of_line(text, "MemTotal:"), Some(24105));
        assert_eq!(mebibytes_of_line("MemFree: 1 kB\n", "MemAvailable:"), None);
    }

    /// A folder with files, as the system shows its control groups.
    fn cgroups(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn the_least_limit_of_the_control_groups_counts() {
        let root = cgroups(&[
            ("memory.max", "max\n"),
            ("service/memory.max", "1073741824\n"),
            ("service/page/memory.max", "2147483648\n"),
            ("other/memory.max", "1\n"),
        ]);
        assert_eq!(cgroup_limit(root.path(), "0::/service/page\n"), Some(1 << 30));
        assert_eq!(cgroup_limit(root.path(), "0::/\n"), None);
        let root = cgroups(&[("memory.max", "4096\n")]);
        assert_eq!(cgroup_limit(root.path(), "0::/docker/of/the/host\n"), Some(4096));
    }

    #[test]
    fn control_groups_of_version_1_count_as_well() {
        let root = cgroups(&[
            ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("memory/page/memory.limit_in_bytes", "536870912\n"),
        ]);
        let groups = "12:cpu,cpuacct:/x\n5:memory:/page\n0::/none\n";
        assert_eq!(cgroup_limit(root.path(), groups), Some(512 << 20));
        assert_eq!(cgroup_limit(root.path(), ""), None);
    }
}

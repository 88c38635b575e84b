//! A small file system in a file, which can be filled and broken.

use super::Lacking;
use anyhow::{Context, ensure};
use std::{
    fs::{self, File},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use xtask::{install, leftovers::Leftover, process};

/// A mounted ext4 file system.
pub(super) struct Volume {
    folder: TempDir,
    _leftover: Leftover,
}

impl Volume {
    /// Creates and mounts a file system of this size in MiB.
    pub(super) fn mount(mebibytes: u64) -> anyhow::Result<Self> {
        for program in ["mkfs.ext4", "mount", "umount", "findmnt", "e2fsck"] {
            let is_installed =
                install::find(program).is_some() || Path::new("/usr/sbin").join(program).is_file();
            if !is_installed {
                return Err(Lacking(format!(
                    "{program} is missing (packages e2fsprogs and mount)"
                ))
                .into());
            }
        }
        let folder = tempfile::Builder::new().prefix("grootboek-volume-").tempdir()?;
        File::create(folder.path().join("image"))?.set_len(mebibytes << 20)?;
        fs::create_dir(folder.path().join("files"))?;
        let place = folder.path().join("files");
        let volume = Self {
            folder,
            _leftover: Leftover::new(move || {
                let _ = Command::new("umount").arg("--lazy").arg(&place).status();
            }),
        };
        process::output(
            Command::new("/usr/sbin/mkfs.ext4").args(["-q", "-m", "0"]).arg(volume.image()),
        )?;
        volume
            .attach()
            .map_err(|error| Lacking(format!("no file system can be mounted here: {error:#}")))?;
        Ok(volume)
    }

    /// Mount point of the file system.
    pub(super) fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    fn image(&self) -> PathBuf {
        self.folder.path().join("image")
    }

    fn attach(&self) -> anyhow::Result<()> {
        let mut mount = Command::new("mount");
        mount.args(["-o", "loop,errors=remount-ro"]).arg(self.image()).arg(self.files());
        process::output(&mut mount).map(drop)
    }

    /// Fills all free space.
    pub(super) fn fill(&self) -> anyhow::Result<()> {
        let mut ballast = File::options().create(true).append(true).open(self.ballast())?;
        for size in [1 << 20, 1 << 12, 1] {
            let block = vec![1; size];
            loop {
                match ballast.write_all(&block) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// Frees the space again.
    pub(super) fn free(&self) -> anyhow::Result<()> {
        Ok(fs::remove_file(self.ballast())?)
    }

    fn ballast(&self) -> PathBuf {
        self.files().join("ballast")
    }

    /// Makes the kernel detect an error in the file system, which becomes read-only under processes
    /// with open files.
    pub(super) fn break_down(&self) -> anyhow::Result<()> {
        let device = process::output(
            Command::new("findmnt").args(["-n", "-o", "SOURCE"]).arg(self.files()),
        )?;
        let device = device.trim().trim_start_matches("/dev/");
        let trigger = PathBuf::from(format!("/sys/fs/ext4/{device}/trigger_fs_error"));
        fs::write(&trigger, "1")
            .map_err(|error| Lacking(format!("{}: {error}", trigger.display())))?;
        let refused = File::create(self.ballast());
        ensure!(refused.is_err(), "the file system is still written to");
        Ok(())
    }

    /// Repairs the file system as an operator would; no process may have files open.
    pub(super) fn repair(&self) -> anyhow::Result<()> {
        process::output(Command::new("umount").arg(self.files()))?;
        // 1: errors were corrected (e2fsck(8)).
        let status =
            Command::new("/usr/sbin/e2fsck").args(["-f", "-p"]).arg(self.image()).output()?.status;
        ensure!(matches!(status.code(), Some(0 | 1)), "e2fsck ended with {status}");
        self.attach().context("the repaired file system cannot be mounted")
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        // The file system may not be mounted. While files are open, the kernel delays unmounting.
        let _ = Command::new("umount").arg("--lazy").arg(self.files()).output();
    }
}

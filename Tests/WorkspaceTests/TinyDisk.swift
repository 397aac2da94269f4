import Glibc

/// A disk of a few megabytes for the child process of a test.
enum TinyDisk {
    /// Mounts a RAM disk on a folder, visible only to this process.
    ///
    /// - Returns: `false` if the process has no permission to mount.
    static func mount(on folder: String, bytes: Int) -> Bool {
        typealias Unshare = @convention(c) (Int32) -> Int32
        typealias Mount =
            @convention(c) (
                UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt, UnsafeRawPointer?
            ) -> Int32
        guard let unshare = dlsym(nil, "unshare"), let mount = dlsym(nil, "mount") else { return false }
        let newNamespace: Int32 = 0x0002_0000
        let recursivelyPrivate: UInt = 1 << 14 | 1 << 18
        guard unsafeBitCast(unshare, to: Unshare.self)(newNamespace) == 0 else { return false }
        let call = unsafeBitCast(mount, to: Mount.self)
        guard call("none", "/", nil, recursivelyPrivate, nil) == 0 else { return false }
        return "size=\(bytes)".withCString { call("none", folder, "tmpfs", 0, $0) } == 0
    }

    static func unmount(_ folder: String) {
        typealias Unmount = @convention(c) (UnsafePointer<CChar>) -> Int32
        guard let unmount = dlsym(nil, "umount") else { return }
        _ = unsafeBitCast(unmount, to: Unmount.self)(folder)
    }

    /// Limits the size of files that this process writes.
    static func limitFiles(to bytes: Int) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }
}

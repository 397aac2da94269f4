package import Glibc

extension posix_spawnattr_t {
    /// Resets the signals of the started program: an empty mask and the default action for every signal, regardless of
    /// this process's settings.
    ///
    /// - Parameter flags: Additional `POSIX_SPAWN_` flags, such as `POSIX_SPAWN_SETPGROUP`.
    package mutating func resetSignals(adding flags: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&self, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&self, &signals)
        posix_spawnattr_setflags(&self, Int16(flags | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)))
    }
}

internal import Glibc

extension EvalQueue {
    /// Default rater: the login name of the user, even if no environment variable contains it.
    static var person: String {
        for name in ["ORRERY_RATER", "USER", "LOGNAME"] {
            if let value = getenv(name), value.pointee != 0 { return String(cString: value) }
        }
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name, name.pointee != 0 else { return "me" }
        return String(cString: name)
    }
}

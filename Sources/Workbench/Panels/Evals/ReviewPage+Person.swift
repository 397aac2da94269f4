internal import Glibc

extension ReviewPage {
    /// Who judges where nobody has said so: the name under which the person is logged in, also where no variable tells it.
    static var person: String {
        for name in ["ORRERY_RATER", "USER", "LOGNAME"] {
            if let value = getenv(name), value.pointee != 0 { return String(cString: value) }
        }
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name, name.pointee != 0 else { return "me" }
        return String(cString: name)
    }
}

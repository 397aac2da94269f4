internal import Glibc

/// The parts of an address that sentences need, as libpq itself reads it.
struct PostgreSQLAddress {
    /// `postgresql://host:5432/db`: nothing in it tells who one is.
    var shown = "postgresql"
    /// Password, which must not appear in messages.
    var password: String?
    /// Whether libpq can read it.
    var isReadable = false
    /// Seconds to wait for a connection, where the address says so.
    var timeout: Int?

    /// - Parameter url: `postgresql://user@host:5432/db`, or `host=... dbname=...`.
    init(_ url: String) {
        guard let library = LibPQ.shared else { return }
        // The library's message repeats parts of an invalid address, so it is never shown.
        var reason: UnsafeMutablePointer<CChar>?
        guard let options = library.parseAddress(url, &reason) else {
            if let reason { library.freeMemory(reason) }
            return
        }
        defer { library.freeAddress(options) }
        // Each is a struct of six pointers, the first keyword and the fourth value, and a number; a null keyword ends.
        let size = 7 * MemoryLayout<UnsafeRawPointer>.stride
        var parts: [String: String] = [:]
        var option = UnsafeRawPointer(options)
        while let keyword = option.load(as: UnsafePointer<CChar>?.self) {
            let value = option.load(
                fromByteOffset: 3 * MemoryLayout<UnsafeRawPointer>.stride, as: UnsafePointer<CChar>?.self)
            if let value { parts[String(cString: keyword)] = String(cString: value) }
            option += size
        }
        password = parts["password"].flatMap { $0.isEmpty ? nil : $0 }
        timeout = parts["connect_timeout"].flatMap { Int($0) }
        // An unwritten sign of a password moves its rest into the port or the database.
        let isPort = (parts["port"] ?? "").utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ",") }
        guard isPort, parts["dbname"]?.contains("@") != true else { return }
        isReadable = true
        shown = "postgresql://" + (parts["host"] ?? parts["hostaddr"] ?? "")
        if let port = parts["port"] { shown += ":\(port)" }
        if let database = parts["dbname"] { shown += "/\(database)" }
        shown = clean(shown)
    }

    /// Returns a reason without the password.
    func clean(_ reason: String) -> String {
        guard let password else { return reason }
        return reason.replacing(password, with: "***")
    }
}

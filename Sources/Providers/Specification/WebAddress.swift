internal import System

/// The parts of an `http` or `https` address that are looked at before anything is sent there.
struct WebAddress {
    var isEncrypted: Bool
    /// Without brackets and port.
    var host: String
    var hasPath: Bool

    /// Checks an address and takes it apart.
    ///
    /// - Throws: what is wrong with it, showing nothing of it, for an address may hold a password.
    init(_ text: String) throws(Problem) {
        let rest: Substring
        if text.hasPrefix("https://") {
            isEncrypted = true
            rest = text.dropFirst(8)
        } else if text.hasPrefix("http://") {
            isEncrypted = false
            rest = text.dropFirst(7)
        } else {
            throw Problem(.invalid, "", "an address must start with https:// or http://")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw Problem(.invalid, "", "the address contains an invalid character")
        }
        guard text.utf8.count <= 4096 else { throw Problem(.limit, "", "the address is longer than 4096 characters") }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw Problem(.invalid, "", "the address must not contain a user name or password")
        }
        var hostText = authority
        var port: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else {
                throw Problem(.invalid, "", "unclosed \"[\" in the address")
            }
            hostText = authority[authority.index(after: authority.startIndex)..<end]
            let after = authority[authority.index(after: end)...]
            if !after.isEmpty { port = after.dropFirst() }
        } else if let colon = authority.lastIndex(of: ":") {
            hostText = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        if let port {
            guard let number = UInt16(port), number > 0 else {
                throw Problem(.invalid, "", "the port must be a number from 1 to 65535")
            }
        }
        guard !hostText.isEmpty else { throw Problem(.missing, "", "the address has no host") }
        host = String(hostText)
        let path = rest.dropFirst(authority.count).prefix { $0 != "?" }
        hasPath = path.contains { $0 != "/" }
    }

    /// Whether what is sent stays on this machine.
    var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasSuffix(".localhost")
            || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
    }
}

/// Encoding of clipboard text for OSC 52.
package enum Clipboard {
    /// Maximum number of bytes of text, whose Base64 form stays below tmux's limit of 1 MiB.
    package static let limit = 750_000

    /// Multiplexers between the process and the terminal.
    package enum Route: Hashable, Sendable {
        case direct
        case tmux
        case screen
    }

    package static func passage(type: String) -> Route {
        if Environment["TMUX"] != nil { return .tmux }
        return type.hasPrefix("screen") && Environment["STY"] != nil ? .screen : .direct
    }

    /// Returns the bytes to send; `nil` if the text is longer than `limit`.
    ///
    /// tmux receives the text twice: in its own sequence, for `set-clipboard on`, and wrapped, for `allow-passthrough`.
    package static func sequence(for text: String, passage: Route) -> [UInt8]? {
        guard text.utf8.count <= limit else { return nil }
        let encoded = base64(text.utf8)
        let plain = Array("\u{1B}]52;c;".utf8) + encoded + [0x07]
        switch passage {
        case .direct: return plain
        case .tmux:
            return plain + Array("\u{1B}Ptmux;\u{1B}\u{1B}]52;c;".utf8) + encoded + Array("\u{7}\u{1B}\\".utf8)
        case .screen:
            // GNU Screen forwards strings of up to 768 bytes.
            var wrapped: [UInt8] = []
            var rest = plain[...]
            while !rest.isEmpty {
                wrapped += Array("\u{1B}P".utf8) + rest.prefix(512) + Array("\u{1B}\\".utf8)
                rest = rest.dropFirst(512)
            }
            return wrapped
        }
    }

    /// Returns bytes in Base64 (RFC 4648) with padding.
    package static func base64(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let triple = Array(rest.prefix(3))
            let bits = triple.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - triple.count))
            for index in 0..<4 {
                let sextet = bits >> (18 - 6 * index) & 63
                encoded.append(index <= triple.count ? alphabet[sextet] : UInt8(ascii: "="))
            }
            rest = rest.dropFirst(3)
        }
        return encoded
    }
}

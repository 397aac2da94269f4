import JSON

/// Candidates for a session's name: its title, its summary, or its first question.
struct SessionNames {
    /// Bytes of a name beyond which it is cut.
    static let longest = 120

    private var custom: String?
    private var generated: String?
    private var summaries: [(leaf: UInt64, text: String)] = []
    private var prompt: String?
    private var command: String?

    /// Notes a line of type `custom-title`, `ai-title` or `summary`; the last of each kind counts.
    mutating func note(_ record: ClaudeCodeRecord, type: JSONNode) {
        guard let title = record.title?.nonEmptyString.map(Self.oneLine), !title.isEmpty else { return }
        if type.equals("custom-title") {
            custom = title
        } else if type.equals("ai-title") {
            generated = title
        } else if type.equals("summary"), let leaf = record.leafUuid?.key(), summaries.count < 64 {
            summaries.append((leaf, title))
        }
    }

    /// Whether a prompt is still looked for.
    var needsPrompt: Bool { prompt == nil }

    /// Notes what a user wrote, the first of which counts; commands count less than words.
    mutating func note(prompt content: JSONNode) {
        var text: String?
        if content.kind == .string {
            text = content.string
        } else {
            for block in content.elements where block["type"]?.equals("text") == true {
                text = block["text"]?.string
                break
            }
        }
        guard let text else { return }
        if let readable = CommandText.readable(text) {
            if command == nil, !readable.isEmpty { command = Self.oneLine(readable) }
        } else if !CommandText.isNoise(text) {
            let line = Self.oneLine(text)
            if !line.isEmpty { prompt = line }
        }
    }

    /// The best name; `nil` if nothing was found.
    ///
    /// A summary counts if it ends in a line of this session: old files begin with the summaries of other sessions.
    func best(_ isOwnLine: (UInt64) -> Bool) -> String? {
        custom ?? generated ?? summaries.last { isOwnLine($0.leaf) }?.text ?? prompt ?? command
    }

    /// The text on one line, with single spaces, cut at a character near `longest` bytes.
    static func oneLine(_ text: String) -> String {
        var line: [UInt8] = []
        var space = false
        for byte in text.utf8 {
            if byte <= 0x20 || byte == 0x7F {
                space = !line.isEmpty
                continue
            }
            if space { line.append(0x20) }
            space = false
            line.append(byte)
            if line.count > longest + 4 { break }
        }
        guard line.count > longest else { return String(decoding: line, as: UTF8.self) }
        // A cut inside a character would leave a piece of it: go back to its first byte.
        var end = longest
        while end > 0, line[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: line[..<end], as: UTF8.self) + "…"
    }
}

/// The tags with which Claude Code writes down that a person ran one of its commands.
enum CommandText {
    /// Returns `<command-name>/review</command-name>…<command-args>the diff</command-args>` as `/review the diff`;
    /// `nil` if the text is not a command.
    static func readable(_ text: String) -> String? {
        guard let name = content(of: "command-name", in: text) else { return nil }
        let slashed = name.hasPrefix("/") || name.isEmpty ? name : "/" + name
        guard let arguments = content(of: "command-args", in: text), !arguments.isEmpty else { return slashed }
        return slashed + " " + arguments
    }

    /// Whether a program put this text there, although it is not marked so.
    static func isNoise(_ text: String) -> Bool {
        for beginning in [
            "<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>", "<bash-stdout>",
            "<system-reminder>", "Caveat: The messages below were generated", "[Request interrupted by user",
        ] where text.hasPrefix(beginning) {
            return true
        }
        return false
    }

    /// What stands between `<tag>` and `</tag>`, without space around it.
    static func content(of tag: String, in text: String) -> String? {
        guard let start = text.firstRange(of: "<\(tag)>") else { return nil }
        let rest = text[start.upperBound...]
        guard let end = rest.firstRange(of: "</\(tag)>") else { return nil }
        let inner = rest[..<end.lowerBound]
        guard let first = inner.firstIndex(where: { !$0.isWhitespace }),
            let last = inner.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(inner[first...last])
    }
}

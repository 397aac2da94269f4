internal import JSON

/// What a model's turn says in the text form of thought, action and answer.
///
/// Labels may be in any case, indented, in Markdown's bold, and an action may stand in a code fence: that is harmless.
/// What an action names is read exactly: one JSON object with the texts that it must have. What a turn says behind its
/// first action was said without knowing the result and counts for nothing.
struct Turn: Hashable {
    enum Content: Hashable {
        /// - Parameter text: The arguments as JSON.
        case action(tool: String, arguments: ToolArguments, text: String)
        case answer(String)
        /// Why it is neither.
        case malformed(String)
    }

    var thought: String?
    var content: Content
    /// The turn up to the end of its action or answer, as it was written.
    var kept: String

    static let actionForm = #"{"tool": "name", "arguments": {...}}"#

    var isReadable: Bool { if case .malformed = content { false } else { true } }

    /// - Parameter isWhole: Whether the turn is complete. A turn cut by a limit may have a truncated answer.
    init(_ text: String, isWhole: Bool = true) {
        let lines = Lines(text)
        var thought: [Substring] = []
        var isThought = true
        for (index, line) in lines.all.enumerated() {
            guard let (label, rest) = Label.read(line) else {
                if isThought { thought.append(line) }
                continue
            }
            switch label {
            case .thought:
                isThought = thought.allSatisfy { $0.allSatisfy(\.isWhitespace) }
                if isThought { thought.append(rest) }
            case .action:
                self.init(thought, action: rest, in: text)
                return
            case .answer:
                self.init(thought, answer: rest, lines.all[(index + 1)...], in: text, isWhole: isWhole)
                return
            case .observation, .other:
                // What stands here is the loop's to say: the turn ended before it.
                self.init(thought, lines.text(before: index))
                return
            }
        }
        self.init(thought, text, isWhole: isWhole)
    }

    private init(_ thought: [Substring], _ kept: String, isWhole: Bool = true) {
        self.thought = Self.joined(thought)
        self.kept = kept
        content = .malformed(
            isWhole
                ? "neither an action nor an answer; write Action: \(Self.actionForm) or Answer: text"
                : "the turn was cut off before an action or an answer; write a shorter thought")
    }

    private init(
        _ thought: [Substring], answer first: Substring, _ more: ArraySlice<Substring>, in text: String, isWhole: Bool
    ) {
        self.thought = Self.joined(thought)
        var end = first.endIndex
        var isCut = false
        for line in more {
            if Label.read(line) != nil {
                isCut = true
                break
            }
            end = line.endIndex
        }
        kept = String(text[..<end])
        let answer = String(text[first.startIndex..<end]).trimmed
        if answer.isEmpty {
            content = .malformed("the answer is empty; write Answer: text")
        } else if !isWhole, !isCut {
            content = .malformed("the answer was cut off; write a shorter one")
        } else {
            content = .answer(answer)
        }
    }

    private init(_ thought: [Substring], action rest: Substring, in text: String) {
        self.thought = Self.joined(thought)
        var body = text[rest.startIndex...]
        body.dropSpace()
        if body.hasPrefix("```") { body = body.dropFirst(3).drop { $0.isLetter } }
        body.dropSpace()
        guard body.first == "{", let end = Self.end(ofObject: body) else {
            kept = String(text[..<rest.endIndex])
            content = .malformed("the action is not JSON; write \(Self.actionForm)")
            return
        }
        kept = String(text[..<end])
        do throws(ToolError) {
            content = try Self.action(String(body[..<end]))
        } catch {
            content = .malformed("\(error.sentence); write \(Self.actionForm)")
        }
    }

    private static func action(_ text: String) throws(ToolError) -> Content {
        guard case .object(let members) = try ToolArguments.value(of: text, called: "the action is") else {
            throw ToolError("the action must be an object")
        }
        guard let name = members["tool"] else { throw ToolError("the action has no \"tool\"") }
        guard case .string(let tool) = name, !tool.isEmpty else {
            throw ToolError("the action's \"tool\" must be a string")
        }
        guard let given = members["arguments"] else { throw ToolError("the action has no \"arguments\"") }
        guard case .object(let arguments) = given else {
            throw ToolError("the action's \"arguments\" must be an object")
        }
        for key in members.keys.sorted() where key != "tool" && key != "arguments" {
            throw ToolError("the action has an unknown key \"\(key.prefix(60))\"")
        }
        return .action(tool: tool, arguments: ToolArguments(arguments), text: arguments.json())
    }

    /// Returns the end of the object that starts a text; `nil` if the object has no end.
    private static func end(ofObject text: Substring) -> String.Index? {
        let bytes = text.utf8
        var depth = 0
        var isString = false
        var isEscaped = false
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            if isEscaped {
                isEscaped = false
            } else if isString {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { isString = false }
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }

    private static func joined(_ lines: [Substring]) -> String? {
        let text = lines.joined(separator: "\n").onOneLine
        return text.isEmpty ? nil : text
    }
}

/// The word that a line begins with.
private enum Label {
    case thought, action, answer, observation, other

    private static let words: [(word: String, label: Label)] = [
        ("thought", .thought), ("action", .action), ("answer", .answer), ("final answer", .answer),
        ("observation", .observation), ("question", .other), ("tools", .other), ("document", .other),
    ]

    /// Returns the label of a line and the rest of the line; `nil` if it has no label.
    static func read(_ line: Substring) -> (label: Label, rest: Substring)? {
        guard let colon = line.prefix(24).firstIndex(of: ":") else { return nil }
        var word = line[..<colon]
        while let first = word.first, first.isWhitespace || first == "*" { word.removeFirst() }
        while let last = word.last, last.isWhitespace || last == "*" { word.removeLast() }
        let lowered = word.lowercased()
        guard let label = words.first(where: { $0.word == lowered })?.label else { return nil }
        var rest = line[line.index(after: colon)...]
        // Bold that encloses the colon ends behind it.
        if line[..<colon].contains("**"), rest.hasPrefix("**") { rest = rest.dropFirst(2) }
        return (label, rest)
    }
}

/// The lines of a text, as parts of it.
private struct Lines {
    let text: String
    let all: [Substring]

    init(_ text: String) {
        self.text = text
        all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// What stands before a line, without the line break.
    func text(before line: Int) -> String { line == 0 ? "" : String(text[..<all[line - 1].endIndex]) }
}

extension Substring {
    fileprivate mutating func dropSpace() { self = drop(while: \.isWhitespace) }
}

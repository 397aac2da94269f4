import Hashing

/// A lexer for all programming languages that finds comments, strings, numbers, and names with a language's grammar.
enum CodeHighlighter {
    private static let comment: UInt8 = 1
    /// Mode for the first kind of string; the index of the open kind is added.
    private static let firstString: UInt8 = 2

    static func highlight(
        _ line: inout HighlightLine, _ grammar: CodeGrammar, _ state: inout HighlightState,
        _ runs: inout HighlightRuns
    ) {
        resume(&line, grammar, &state, &runs)
        if line.startsLine, state.mode == 0 { beginLine(&line, grammar, &runs) }
        while !line.isAtEnd {
            let byte = line.peek()
            if byte == 0x20 || byte == 0x09 {
                line.place += 1
                runs.extend(to: line.place, .text)
            } else if !comment(&line, grammar, &state, &runs), !string(&line, grammar, &state, &runs) {
                word(&line, grammar, &runs)
            }
        }
    }

    /// Continues a comment or string left open by the previous line.
    private static func resume(
        _ line: inout HighlightLine, _ grammar: CodeGrammar, _ state: inout HighlightState,
        _ runs: inout HighlightRuns
    ) {
        guard state.mode != 0 else { return }
        if state.mode == comment {
            guard let block = grammar.blockComment else {
                state.mode = 0
                return
            }
            finishComment(&line, block, grammar.nestsComments, &state, &runs)
        } else {
            let index = Int(state.mode - firstString)
            guard index < grammar.quotes.count, grammar.quotes[index].spansLines || !line.startsLine else {
                state.mode = 0
                return
            }
            finishString(&line, grammar.quotes[index], &state, &runs)
        }
    }

    /// Highlights directives, table headers, and keys at the start of a line.
    private static func beginLine(_ line: inout HighlightLine, _ grammar: CodeGrammar, _ runs: inout HighlightRuns) {
        let first = line.skippingBlanks(from: line.place)
        guard first < line.end else { return }
        if let directive = grammar.directive, line.bytes[first] == directive {
            line.place = first + 1
            while line.peek().isLetter || line.peek() == UInt8(ascii: "!") { line.place += 1 }
            runs.extend(to: line.place, .keyword)
            return
        }
        switch grammar.keys {
        case .none: break
        case .equals:
            if line.bytes[first] == UInt8(ascii: "[") {
                let close = (first..<line.end).last { line.bytes[$0] == UInt8(ascii: "]") }
                guard let close, !line.bytes[first..<close].contains(UInt8(ascii: ",")) else { return }
                line.place = close + 1
                runs.extend(to: line.place, .heading)
            } else {
                key(&line, from: first, before: UInt8(ascii: "="), &runs)
            }
        case .colon:
            var start = first
            while line.starts(with: "- ", at: start) { start = line.skippingBlanks(from: start + 2) }
            runs.extend(to: start, .punctuation)
            line.place = start
            key(&line, from: start, before: UInt8(ascii: ":"), &runs)
        }
    }

    private static func key(
        _ line: inout HighlightLine, from start: Int, before separator: UInt8, _ runs: inout HighlightRuns
    ) {
        var end = start
        while end < line.end, line.bytes[end].isWordByte || "-. \"'/".utf8.contains(line.bytes[end]) { end += 1 }
        guard end > start, end < line.end, line.bytes[end] == separator else { return }
        if separator == UInt8(ascii: ":"), end + 1 < line.end, line.bytes[end + 1] != 0x20 { return }
        runs.extend(to: end, .property)
        runs.extend(to: end + 1, .punctuation)
        line.place = end + 1
    }

    private static func comment(
        _ line: inout HighlightLine, _ grammar: CodeGrammar, _ state: inout HighlightState,
        _ runs: inout HighlightRuns
    ) -> Bool {
        for sign in grammar.lineComments where line.starts(with: sign, at: line.place) {
            if grammar.commentsFollowBlanks, line.place > line.start, line.bytes[line.place - 1] > 0x20 { continue }
            line.place = line.end
            runs.extend(to: line.place, .comment)
            return true
        }
        guard let block = grammar.blockComment, line.starts(with: block.open, at: line.place) else { return false }
        line.place += block.open.count
        state.mode = comment
        state.depth = 1
        finishComment(&line, block, grammar.nestsComments, &state, &runs)
        return true
    }

    private static func finishComment(
        _ line: inout HighlightLine, _ block: (open: [UInt8], close: [UInt8]), _ nests: Bool,
        _ state: inout HighlightState, _ runs: inout HighlightRuns
    ) {
        while !line.isAtEnd, state.depth > 0 {
            if line.starts(with: block.close, at: line.place) {
                line.place += block.close.count
                state.depth -= 1
            } else if nests, state.depth < .max, line.starts(with: block.open, at: line.place) {
                line.place += block.open.count
                state.depth += 1
            } else {
                line.place += 1
            }
        }
        if state.depth == 0 { state.mode = 0 }
        runs.extend(to: line.place, .comment)
    }

    private static func string(
        _ line: inout HighlightLine, _ grammar: CodeGrammar, _ state: inout HighlightState,
        _ runs: inout HighlightRuns
    ) -> Bool {
        for (index, quotes) in grammar.quotes.enumerated() where line.starts(with: quotes.open, at: line.place) {
            line.place += quotes.open.count
            state.mode = firstString + UInt8(index)
            finishString(&line, quotes, &state, &runs)
            // An unclosed single-line string ends with its line, but continues in the next piece of a split line.
            if line.endsLine, !quotes.spansLines { state.mode = 0 }
            return true
        }
        return false
    }

    private static func finishString(
        _ line: inout HighlightLine, _ quotes: CodeGrammar.Quotes, _ state: inout HighlightState,
        _ runs: inout HighlightRuns
    ) {
        while !line.isAtEnd {
            if quotes.escapes, line.peek() == UInt8(ascii: "\\") {
                line.place += min(2, line.end - line.place)
            } else if line.starts(with: quotes.close, at: line.place) {
                line.place += quotes.close.count
                state.mode = 0
                break
            } else {
                line.place += 1
            }
        }
        runs.extend(to: line.place, .string)
    }

    /// Highlights a number, a name, or one other character.
    private static func word(_ line: inout HighlightLine, _ grammar: CodeGrammar, _ runs: inout HighlightRuns) {
        let start = line.place
        let first = line.peek()
        if first.isDigit {
            while line.peek().isWordByte || line.peek() == UInt8(ascii: ".") && line.peek(1).isDigit {
                line.place += 1
            }
            runs.extend(to: line.place, .number)
        } else if let role = grammar.sigils[first], line.peek(1).isWordByte || line.peek(1) == UInt8(ascii: "{") {
            line.place += line.peek(1) == UInt8(ascii: "{") ? 2 : 1
            while line.peek().isWordByte { line.place += 1 }
            if line.peek() == UInt8(ascii: "}"), line.bytes[start + 1] == UInt8(ascii: "{") { line.place += 1 }
            runs.extend(to: line.place, role)
        } else if first.isWordByte {
            var hash = FNV1a()
            while !line.isAtEnd, line.peek().isWordByte {
                let byte = line.peek()
                let folded = grammar.ignoresCase && byte &- 0x41 < 26 ? byte | 0x20 : byte
                hash.add(folded)
                line.place += 1
            }
            runs.extend(to: line.place, role(of: hash.value, first: first, in: line, grammar))
        } else {
            line.place += 1
            runs.extend(to: line.place, .punctuation)
        }
    }

    private static func role(
        of hash: UInt64, first: UInt8, in line: HighlightLine, _ grammar: CodeGrammar
    ) -> Role {
        if grammar.keywords.contains(hash) { return .keyword }
        if grammar.constants.contains(hash) { return .constant }
        if grammar.types.contains(hash) { return .type }
        if grammar.capitalsAreTypes, first &- 0x41 < 26 { return .type }
        if grammar.callsAreFunctions, line.peek() == UInt8(ascii: "(") { return .function }
        return .text
    }
}

/// A key of a pipeline file, with its type, default, and summary.
struct PipelineKey: Sendable {
    enum Kind: Sendable {
        case flag
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case text
        case choice([String])
        case texts
    }

    /// `dense.k`.
    let name: String
    let kind: Kind
    /// Default value; `nil` if the index or the model sets it.
    let standard: PipelineValue?
    /// Short description.
    let summary: String

    init(_ name: String, _ kind: Kind, _ standard: PipelineValue?, _ summary: String) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.summary = summary
    }

    /// `dense`.
    var section: String { String(name[..<(name.firstIndex(of: ".") ?? name.endIndex)]) }
    /// `k`.
    var word: String { String(name[(name.firstIndex(of: ".").map { name.index(after: $0) } ?? name.startIndex)...]) }

    /// Returns the key that a name means: `dense.k`, and `dense.wide.k` of a further stage.
    static func named(_ name: String) -> PipelineKey? {
        if let key = all.first(where: { $0.name == name }) { return key }
        let words = name.split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 3, repeatable.contains(String(words[0])), !words[1].isEmpty else { return nil }
        let plain = "\(words[0]).\(words[2])"
        return all.first { $0.name == plain }
    }

    /// Returns the value in the type of this key; `nil` if it has another type or is out of range.
    func accepted(_ value: PipelineValue) -> PipelineValue? {
        switch (kind, value) {
        case (.flag, .flag), (.text, .text), (.texts, .texts): return value
        case (.texts, .text(let text)): return .texts(text.isEmpty ? [] : [text])
        case (.integer(let range), .integer(let integer)): return range.contains(integer) ? value : nil
        case (.integer(let range), .number(let number)):
            guard let integer = Int(exactly: number) else { return nil }
            return range.contains(integer) ? .integer(integer) : nil
        case (.number(let range), .integer(let integer)):
            return range.contains(Double(integer)) ? .number(Double(integer)) : nil
        case (.number(let range), .number(let number)): return range.contains(number) ? value : nil
        case (.choice(let names), .text(let text)): return names.contains(text) ? value : nil
        default: return nil
        }
    }

    /// Allowed values, such as "a number from 0 to 1" or "\"rrf\" or \"weighted\"".
    var wants: String {
        switch kind {
        case .flag: return "true or false"
        case .integer(let range): return "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): return "a number from \(range.lowerBound) to \(range.upperBound)"
        case .text: return "a string in quotes"
        case .choice(let names):
            let quoted = names.map { "\"\($0)\"" }
            return quoted.dropLast().joined(separator: ", ") + (quoted.count > 2 ? ", or " : " or ")
                + (quoted.last ?? "")
        case .texts: return "strings in brackets"
        }
    }
}

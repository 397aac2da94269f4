internal import JSON

/// Instructions for the two processes of `CodeHarness`, and the format of the outcome.
struct CodeOrder {
    /// Code for display.
    var text: String
    /// Trusted text above the code; the test may use its definitions and imports.
    var setup: String
    /// Code with the text above it.
    var program: String
    var test: String
    /// Name that the code defines, even if `setup` defines it too; `nil` if only the imports of `setup` count.
    var entryPoint: String?
    /// Random word that only the test process knows.
    let word = "judged-\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"

    init(text: String, setup: String, program: String, test: String, entryPoint: String? = nil) {
        (self.text, self.setup, self.program, self.test) = (text, setup, program, test)
        self.entryPoint = entryPoint
    }

    var json: [UInt8] {
        var json = JSONWriter(style: .compact)
        json.object {
            $0.member("word", word)
            $0.member("setup", setup)
            $0.member("code", program)
            $0.member("test", test)
            $0.member("entry", entryPoint ?? "")
            $0.member("imports_only", entryPoint == nil)
        }
        return Array(json.text.utf8)
    }

    /// Returns the last state that the test process reported, other than `began`, with its reason; `nil` if it did not
    /// start.
    func verdict(in output: String) -> (state: String, reason: String)? {
        let parts = output.split(separator: "\n\(word) ", omittingEmptySubsequences: false).dropFirst()
        guard let last = parts.last else { return nil }
        let lines = last.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let state = String(lines.first ?? "")
        return (state, state == "began" ? "" : String(lines.dropFirst().first ?? ""))
    }
}

/// A program with a place for the code, split below the line that holds it.
struct CodeTemplate {
    /// Part above `{code}`.
    var above: String
    /// Text up to the end of the line with `{code}`.
    var program: String
    var test: String

    /// Creates the parts of a template; `nil` unless `{code}` occurs once with a test below it.
    init?(_ text: String) {
        let parts = text.split(separator: "{code}", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let behind = parts[1].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard behind.count == 2, !behind[1].allSatisfy(\.isWhitespace) else { return nil }
        above = String(parts[0])
        program = "\(parts[0]){code}\(behind[0])\n"
        test = String(behind[1])
    }
}

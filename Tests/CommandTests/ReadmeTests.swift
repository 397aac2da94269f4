import Glibc
import TestFixtures
import Testing

@Suite("README")
struct ReadmeTests {
    struct Example: Sendable {
        var line: Int
        var words: [String]
        var status: Int32
    }

    static let lines = (File.text(Program.root + "/README.md") ?? "").split(
        separator: "\n", omittingEmptySubsequences: false)

    /// The lines of its shell blocks that call `orrery`. A comment such as `# status 2` states another exit status than 0.
    static let examples: [Example] = {
        var found: [Example] = []
        var isShell = false
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") { isShell = line == "```sh" }
            guard isShell, line.hasPrefix("orrery ") else { continue }
            let parts = line.split(separator: "#", maxSplits: 1)
            let comment = parts.count > 1 ? parts[1] : ""
            let status = comment.firstRange(of: "status ").flatMap { comment[$0.upperBound...].first?.wholeNumberValue }
            found.append(
                Example(line: index + 1, words: words(in: parts[0].dropFirst(7)), status: Int32(status ?? 0)))
        }
        return found
    }()

    @Test("every example runs in the sample workspace and ends with its exit status")
    func examplesRun() throws {
        let program = try Program()
        #expect(Self.examples.count >= 8)
        #expect(symlink(Program.root + "/sample-data", program.home.file("sample-data")) == 0)
        #expect(try program.run("show", "traces").status == 0)
        for example in Self.examples {
            let result = try program.run(example.words)
            #expect(result.status == example.status, "README.md:\(example.line): \(result.error)")
            #expect(!result.output.isEmpty, "README.md:\(example.line) prints nothing")
        }
    }

    @Test("it has at most 130 lines, and every linked file exists")
    func links() {
        #expect(Self.lines.dropLast().count <= 130)
        let targets = Self.lines.flatMap { $0.matches(of: /\]\(([^)#]+)\)/) }.map { String($0.output.1) }
        #expect(targets.count >= 20)
        for target in targets { #expect(access(Program.root + "/" + target, R_OK) == 0, "\(target) is missing") }
    }

    /// Splits a command as a shell does, with single and double quotes.
    private static func words(in command: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in command {
            switch character {
            case quote: quote = nil
            case _ where quote != nil: word?.append(character)
            case "'", "\"":
                quote = character
                word = word ?? ""
            case " ":
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}

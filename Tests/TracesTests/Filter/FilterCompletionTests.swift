import Configuration
import Testing
import Traces

@Suite("Filter completion")
struct FilterCompletionTests {
    private func replacements(_ text: String, at cursor: Int? = nil, values: [String] = []) -> [String] {
        Filter.completions(for: text, at: cursor ?? text.count) { _ in values }.map(\.replacement)
    }

    @Test("the start of a condition offers all fields")
    func fields() {
        #expect(replacements("").count == FilterField.allCases.count)
        #expect(replacements("kind:tool ") == replacements(""))
        #expect(replacements("(").first == "kind:")
    }

    @Test("a prefix offers fields with their usual operator, and keywords")
    func beginnings() {
        #expect(replacements("to") == ["tokens>"])
        #expect(replacements("kind:tool n") == ["name:", "not "])
        #expect(replacements("or") == ["origin:", "or "])
    }

    @Test("an operator offers the values of its field")
    func choices() {
        #expect(replacements("status:") == ["ok ", "error ", "unset "])
        #expect(
            replacements("kind:re") == ["retrieval ", "reranker ", "agent ", "tool "].filter { $0.hasPrefix("re") })
        #expect(replacements("duration>").contains("1s "))
        #expect(replacements("origin:") == ["agent ", "chat ", "eval ", "retrieval ", "training "])
    }

    @Test("text fields offer known values, prefix matches first, with quotes if needed")
    func values() {
        let names = ["Bash", "Read", "MultiEdit", "run bash"]
        #expect(replacements("name:ba", values: names) == ["Bash ", "\"run bash\" "])
        #expect(replacements("model=\"", values: names).count == 4)
        #expect(replacements("project:tide", values: ["/home/mara/tidebook"]) == ["/home/mara/tidebook "])
    }

    @Test("a completion replaces only the word before the cursor")
    func ranges() {
        let completions = Filter.completions(for: "kind:to status:ok", at: 7)
        #expect(completions.map(\.replacement) == ["tool "])
        #expect(completions.first?.range == 5..<7)
    }

    @Test("quoted free text has no completions")
    func phrases() {
        #expect(replacements("\"to").isEmpty)
    }

    @Test(
        "completed values parse back to the same text",
        arguments: [
            "two words", "with \"quotes\"", "back\\slash", "(parentheses)", "it's", "", "plain",
        ])
    func quoting(value: String) throws {
        let completed = "name=" + (replacements("name=", values: [value]).first ?? "")
        #expect(try Filter(parsing: completed).expression == .condition(.text(.name, .equals, value)))
    }
}

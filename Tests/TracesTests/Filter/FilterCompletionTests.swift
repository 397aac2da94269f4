import Testing
import Traces

@Suite("Completion in a filter")
struct FilterCompletionTests {
    private func replacements(_ text: String, at cursor: Int? = nil, values: [String] = []) -> [String] {
        Filter.completions(for: text, at: cursor ?? text.count) { _ in values }.map(\.replacement)
    }

    @Test("offers all fields where a condition begins")
    func fields() {
        #expect(replacements("").count == FilterField.allCases.count)
        #expect(replacements("kind:tool ") == replacements(""))
        #expect(replacements("(").first == "kind:")
    }

    @Test("offers fields and words that begin as typed, with their usual operator")
    func beginnings() {
        #expect(replacements("to") == ["tokens>"])
        #expect(replacements("kind:tool n") == ["name:", "not "])
        #expect(replacements("or") == ["origin:", "or "])
    }

    @Test("offers a field's values after its operator")
    func choices() {
        #expect(replacements("status:") == ["ok ", "error ", "unset "])
        #expect(
            replacements("kind:re") == ["retrieval ", "reranker ", "agent ", "tool "].filter { $0.hasPrefix("re") })
        #expect(replacements("duration>").contains("1s "))
        #expect(replacements("origin:") == ["agent ", "chat ", "eval ", "retrieval ", "training "])
    }

    @Test("asks for the values of text fields, those that begin as typed first, quoted where they need it")
    func values() {
        let names = ["Bash", "Read", "MultiEdit", "run bash"]
        #expect(replacements("name:ba", values: names) == ["Bash ", "\"run bash\" "])
        #expect(replacements("model=\"", values: names).count == 4)
        #expect(replacements("project:tide", values: ["/home/mara/tidebook"]) == ["/home/mara/tidebook "])
    }

    @Test("replaces the word before the cursor only")
    func ranges() {
        let completions = Filter.completions(for: "kind:to status:ok", at: 7)
        #expect(completions.map(\.replacement) == ["tool "])
        #expect(completions.first?.range == 5..<7)
    }

    @Test("offers nothing inside a phrase of free text")
    func phrases() {
        #expect(replacements("\"to").isEmpty)
    }

    @Test(
        "makes filters that can be read, whatever the values",
        arguments: [
            "two words", "with \"quotes\"", "back\\slash", "(parentheses)", "it's", "", "plain",
        ])
    func quoting(value: String) throws {
        let completed = "name=" + (replacements("name=", values: [value]).first ?? "")
        #expect(try Filter(parsing: completed).expression == .condition(.text(.name, .equals, value)))
    }
}

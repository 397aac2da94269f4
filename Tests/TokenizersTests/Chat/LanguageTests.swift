import JSON
import Testing
import Tokenizers

@Suite("The template language")
struct LanguageTests {
    private struct Case {
        var template: String
        var output: String?
    }

    private static func golden() throws -> (variables: String, cases: [Case]) {
        let document = try JSONDocument(parsing: ChatGoldens.text("chat-language.json"))
        return document.withRoot { root in
            let cases = root["cases"]?.elements.map { node in
                Case(template: node.element(at: 0)?.string ?? "", output: node.element(at: 1)?.string)
            }
            return (root["variables"]?.json() ?? "", cases ?? [])
        }
    }

    /// The rendered text, or nil and the sentence.
    private static func render(_ template: String, _ variables: String) -> (output: String?, sentence: String) {
        do {
            return (try ChatTemplate(source: template).render(json: variables, now: ChatGoldens.now).text, "")
        } catch {
            return (nil, error.sentence)
        }
    }

    @Test("every small template renders as in Jinja, and fails where it fails there")
    func smallTemplates() throws {
        let (variables, cases) = try Self.golden()
        #expect(cases.count > 1000)
        for golden in cases {
            let (output, sentence) = Self.render(golden.template, variables)
            #expect(output == golden.output, "\(golden.template) \(sentence)")
        }
    }
}

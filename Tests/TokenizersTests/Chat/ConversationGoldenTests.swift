import JSON
import TestFixtures
import Testing
import Tokenizers

@Suite("Conversations as Jinja renders them")
struct ConversationGoldenTests {
    /// Templates, by name or source, with a code for each conversation.
    private static func expected(_ kind: StaticString) throws -> [(template: String, codes: [String])] {
        let document = try JSONDocument(parsing: ChatGoldens.text("chat-expected.json"))
        return document.withRoot { root in
            root[kind]?.members.map { ($0.string ?? "", $1.elements.map { $0.string ?? "" }) } ?? []
        }
    }

    private static func compare(_ source: String, _ codes: [String], _ name: String) throws {
        let template = try ChatTemplate(source: source)
        let conversations = ChatGoldens.conversations()
        #expect(conversations.count == 200 && codes.count == 200)
        for (index, conversation) in conversations.enumerated() {
            #expect(ChatGoldens.code(template, conversation) == codes[index], "\(name), conversation \(index)")
        }
    }

    @Test("templates of our own render 200 conversations as in Jinja")
    func own() throws {
        let templates = try Self.expected("own")
        #expect(templates.count == 2)
        for (source, codes) in templates { try Self.compare(source, codes, "\(source.prefix(40))") }
    }

    private static let hasRealTemplates = File.bytes(ChatGoldens.templates + "/google-gemma-2-2b-it.jinja") != nil

    @Test(
        "templates of eight models render 200 conversations as in Jinja",
        .enabled(if: hasRealTemplates, "the templates are not next to the package"))
    func real() throws {
        let templates = try Self.expected("real")
        #expect(templates.count == 8)
        for (name, codes) in templates {
            try Self.compare(File.text(ChatGoldens.templates + "/" + name) ?? "", codes, name)
        }
    }
}

import Testing
import Workbench

@Suite("A reference names a thing that panels can open")
struct ReferenceTests {
    @Test("its text reads back as the same thing")
    func textReadsBack() throws {
        let reference = Reference(.span, [12, 37], title: "bash")
        let read = try #require(Reference(text: reference.text))
        #expect(reference.text == "span:12/37")
        #expect(read.kind == .span)
        #expect(read.path == [12, 37])
    }

    @Test("text that names nothing is refused", arguments: ["", "span", "span:", "span:x", "span:1/two", ":"])
    func nonsenseIsRefused(text: String) {
        #expect(Reference(text: text) == nil)
    }
}

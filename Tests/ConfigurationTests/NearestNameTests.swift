import Configuration
import Testing

@Suite("The name that was meant")
struct NearestNameTests {
    @Test(
        "is the one with the fewest edits, or one that goes on",
        arguments: [
            ("targt", ["target", "template"], "target"), ("selectoin", ["selection", "section"], "selection"),
            ("temp", ["template", "target"], "template"), ("Kind", ["kind"], "kind"),
        ])
    func isFound(_ word: String, _ names: [String], _ wanted: String) {
        #expect(NearestName.to(word, among: names) == wanted)
    }

    @Test(
        "is nothing where all are far", arguments: [("zebra", ["target"]), ("x", ["y"]), ("", ["target"]), ("abc", [])])
    func isNothing(_ word: String, _ names: [String]) {
        #expect(NearestName.to(word, among: names) == nil)
        #expect(NearestName.hint(to: word, among: names) == "")
    }

    @Test("a swap of neighbors is one edit, and case is none")
    func countsEdits() {
        #expect(NearestName.edits("ab", "BA") == 1)
        #expect(NearestName.edits("", "abc") == 3)
        #expect(NearestName.edits("kitten", "sitting") == 3)
    }
}

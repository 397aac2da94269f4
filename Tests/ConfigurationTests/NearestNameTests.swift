import Configuration
import Testing

@Suite("Name suggestions")
struct NearestNameTests {
    @Test(
        "the suggestion has the fewest edits, or starts with the word",
        arguments: [
            ("targt", ["target", "template"], "target"), ("selectoin", ["selection", "section"], "selection"),
            ("temp", ["template", "target"], "template"), ("Kind", ["kind"], "kind"),
        ])
    func suggests(_ word: String, _ names: [String], _ wanted: String) {
        #expect(NearestName.to(word, among: names) == wanted)
    }

    @Test(
        "distant names are not suggested",
        arguments: [("zebra", ["target"]), ("x", ["y"]), ("", ["target"]), ("abc", [])])
    func suggestsNothing(_ word: String, _ names: [String]) {
        #expect(NearestName.to(word, among: names) == nil)
        #expect(NearestName.hint(to: word, among: names) == "")
    }

    @Test("one, two, and three names are quoted in one question")
    func quotesNames() {
        #expect(NearestName.question(["k"]) == "Did you mean \"k\"?")
        #expect(NearestName.question(["a.k", "b.k"]) == "Did you mean \"a.k\" or \"b.k\"?")
        #expect(NearestName.question(["a", "b", "c"]) == "Did you mean \"a\", \"b\", or \"c\"?")
    }

    @Test("the remedy for a name without a close match lists at most eight available names")
    func listsAvailableNames() {
        #expect(NearestName.remedy("zebra", among: ["one"], none: "") == "Available: one.")
        let names = (1...9).map { "name\($0)" }
        #expect(
            NearestName.remedy("zebra", among: names, none: "")
                == "Available: name1, name2, name3, name4, name5, name6, name7, name8, ...")
        #expect(NearestName.remedy("zebra", among: [], none: "Create one.") == "Create one.")
    }

    @Test("swapping adjacent letters counts as one edit, and changing case as none")
    func countsEdits() {
        #expect(NearestName.edits("ab", "BA") == 1)
        #expect(NearestName.edits("", "abc") == 3)
        #expect(NearestName.edits("kitten", "sitting") == 3)
    }
}

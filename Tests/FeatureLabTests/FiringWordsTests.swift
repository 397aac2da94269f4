import FeatureLab
import Testing

@Suite("What a feature fires on, in words")
struct FiringWordsTests {
    private func words(_ texts: [[String]], peaks: [Int]) -> FiringWords? {
        FiringWords(zip(texts, peaks).map { FiringWords.Example(texts: $0, peak: $1) })
    }

    @Test("whole words are named, though the peak is a part of one")
    func wholeWords() throws {
        let planets = Array(repeating: [" the", " plan", "ets", " wander"], count: 5)
        let moons = Array(repeating: [" two", " moons", "."], count: 3)
        let found = try #require(words(planets + moons, peaks: [2, 2, 2, 1, 2, 1, 1, 1]))
        #expect(found.text == "fires on planets, moons")
        #expect(found.clarity == 1)
    }

    @Test("where words differ, the token that they have in common is named as a part")
    func parts() throws {
        let names = ["Bel", "Kor", "Dal", "Tor", "Wil", "Hen", "Jas", "Mor"]
        let found = try #require(
            words(names.map { [" of", " \($0)", "inra", "."] }, peaks: Array(repeating: 2, count: 8)))
        #expect(found.text == "fires on -inra")
    }

    @Test("where tokens differ, what stands before them is named")
    func before() throws {
        let names = ["Belford", "Korwick", "Dalmoor", "Torfield", "Wilgate", "Henholm", "Jasdale", "Mormarsh"]
        let found = try #require(
            words(names.map { [" lives", " in", " \($0)", " \($0)x"] }, peaks: Array(repeating: 2, count: 8)))
        #expect(found.text == "fires after lives in")
    }

    @Test("signs stand in quotation marks")
    func signs() throws {
        let found = try #require(
            words(Array(repeating: [" end", ",", " and"], count: 8), peaks: Array(repeating: 1, count: 8)))
        #expect(found.text == "fires on \",\"")
    }

    @Test("few examples are less clear, and none say nothing")
    func fewExamples() throws {
        let one = try #require(words([[" a", " comet"]], peaks: [1]))
        #expect(one.text == "fires on comet" && one.clarity < 0.2)
        #expect(words([], peaks: []) == nil)
    }

    @Test("examples that have nothing in common end in an ellipsis")
    func nothingInCommon() throws {
        let texts = (0..<9).map { ["\($0)a ", "\($0)b ", "word\($0)", " \($0)c"] }
        let found = try #require(words(texts, peaks: Array(repeating: 2, count: 9)))
        #expect(found.text.hasSuffix(", …") && found.clarity == 0)
    }
}

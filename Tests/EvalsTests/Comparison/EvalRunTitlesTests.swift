import EvalLogs
import Evals
import Testing

@Suite("Titles of runs")
struct EvalRunTitlesTests {
    @Test("a name that only one run has is its title")
    func unique() {
        let titles = EvalRunTitles([(id: 3, name: "reading"), (id: 4, name: "tools")])
        #expect(titles[3] == "reading" && titles[4] == "tools" && titles[5] == nil)
    }

    @Test("runs of the same name are distinguished by number, logs by position")
    func shared() {
        let titles = EvalRunTitles([
            (id: 3, name: "reading"), (id: 12, name: "reading"), (id: -1, name: "tools"), (id: -2, name: "reading"),
        ])
        #expect(titles[3] == "#3 reading" && titles[12] == "#12 reading")
        #expect(titles[-2] == "log 2 reading" && titles[-1] == "tools")
    }

    @Test("compared runs have the same titles in the same order")
    func compared() {
        func run(_ key: String, _ name: String, path: String? = nil) -> EvalRun {
            EvalRun(key: key, name: name, task: "t", model: "m", format: "orrery", path: path, state: .done)
        }
        let runs = [run("7", "a"), run("9", "a"), run("x", "b", path: "/b"), run("x", "a", path: "/a")]
        #expect(EvalRunTitles.titles(of: runs) == ["#7 a", "#9 a", "b", "log 4 a"])
    }
}

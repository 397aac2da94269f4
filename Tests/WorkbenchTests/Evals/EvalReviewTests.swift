import Console
import EvalLogs
import Evals
import Testing
import Workbench

@Suite("The eval panel: judging")
struct EvalReviewTests {
    @Test("samples appear one by one, failed samples first, and other ratings only after the verdict")
    func queue() throws {
        let driver = try EvalDriver()
        try driver.press("Q")
        #expect(driver.text.contains("flag-3") && !driver.text.contains("failed"))
        #expect(driver.text.contains("judged     0 of 120"))
        #expect(driver.text.contains("appear after you judge"))
        try driver.press("p")
        #expect(driver.text.contains("judged     1 of 120"))
        // The run says that it failed: the two differ.
        #expect(driver.text.contains("disputed   1"))
        #expect(driver.text.contains("last: pass for flag-3"))
        try driver.press("h")
        #expect(driver.text.contains("failed  flag-3") && driver.text.contains("ratings differ"))
    }

    @Test("u undoes the last verdict and shows the sample again")
    func undo() throws {
        let driver = try EvalDriver()
        try driver.press("QS")
        driver.type("g")
        try driver.press("fu")
        #expect(driver.text.contains("judged     1 of 120"))
        #expect(driver.text.contains("Dunancrest-8?"))
    }

    @Test("skipped samples do not count as judged, even with a comment")
    func skip() throws {
        let driver = try EvalDriver()
        try driver.press("Qs")
        #expect(driver.text.contains("0 of 120") && driver.text.contains("skipped    1"))
        try driver.press("C")
        driver.type("the passage is wrong")
        #expect(driver.text.contains("skipped    2"))
    }

    @Test("agreement appears once two raters judge the same samples, and with the run's own score")
    func agreement() throws {
        let driver = try EvalDriver()
        try driver.press("Qfff")
        #expect(driver.text.contains("the run's own score"))
        try driver.press("R")
        driver.type("bob")
        #expect(driver.text.contains("rater      bob"))
        try driver.press("ffp")
        #expect(driver.text.contains("ada and bob"))
        #expect(driver.text.contains("66.7 % of 3 agree"))
    }

    @Test("S asks for a grade by the first letter of its word", arguments: zip("bpfge", 1...5))
    func grade(key: Character, number: Int) throws {
        let desk = EvalWorkspace.desk()
        let driver = try EvalDriver(desk)
        try driver.press("QS")
        #expect(driver.prompt?.label == "Grade flag-3")
        driver.type(String(key))
        #expect(try desk.ratings.ratings(of: desk.log(3).run).map(\.verdict) == [.grade(number)])
        #expect(driver.rows(with: " (\(number) of 5) for flag-3").count == 1)
    }

    @Test("digits switch panels, in the queue as elsewhere")
    func digits() throws {
        let keys = EvalPanel.bindings.flatMap(\.keys)
        #expect(!keys.contains { $0.contains { $0.isNumber } })
        let driver = try EvalDriver()
        try driver.press("Q345")
        #expect(driver.text.contains("judged     0 of 120"))
    }

    @Test("S works in the queue and says so elsewhere")
    func elsewhere() throws {
        let driver = try EvalDriver()
        try driver.press("S")
        #expect(driver.refusals == ["works only in the queue: press Q"])
    }

    @Test("the queue of another run starts over, and a verdict applies to the sample on screen")
    func ofAnotherRun() throws {
        let desk = EvalWorkspace.desk()
        let driver = try EvalDriver(desk)
        try driver.press("Qpp<esc>jjQ")
        #expect(driver.text.contains("judged     0 of 120") && !driver.text.contains("last: pass"))
        #expect(driver.text.contains("flags mini-1") && driver.text.contains("Dunancrest-3?"))
        try driver.press("f")
        let run = try desk.log(1).run
        #expect(try desk.ratings.ratings(of: run).map(\.sample) == ["flag-3"])
        #expect(try desk.ratings.ratings(of: desk.log(3).run).count == 2)
        #expect(driver.text.contains("last: fail for flag-3, scored as failed"))
        // The first one's stands as it was left, and goes on behind what was judged.
        try driver.press("<esc>kkQ")
        #expect(driver.text.contains("judged     2 of 120"))
    }

    @Test("a sample without an answer passes only after a second confirmation")
    func withoutAnswer() throws {
        let driver = try EvalDriver()
        try driver.press("<enter>/")
        driver.type("error")
        try driver.press("Q")
        try driver.press(String(repeating: "f", count: 24))
        // Those that failed are judged: the first one that ended in an error follows among the rest.
        var asked = 0
        for _ in 0..<40 where driver.prompt == nil {
            try driver.press("p")
            asked += 1
        }
        #expect(driver.prompt?.label == "Rate a sample without an answer?")
        // Nothing is judged until the question has its answer.
        let before = driver.rows(with: "judged ")
        try driver.press("p")
        #expect(driver.rows(with: "judged ") == before)
        driver.type("r")
        #expect(driver.rows(with: "judged ") != before)
    }
}

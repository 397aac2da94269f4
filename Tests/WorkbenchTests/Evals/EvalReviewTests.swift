import Console
import EvalLogs
import Evals
import Testing
import Workbench

@Suite("The evals page: judging")
struct EvalReviewTests {
    @Test("samples appear one by one, failed samples first, and other ratings only after the verdict")
    func queue() throws {
        let driver = try EvalDriver()
        driver.press("queue")
        #expect(driver.text.contains("flag-3") && !driver.text.contains("failed"))
        #expect(driver.text.contains("judged     0 of 120"))
        #expect(driver.text.contains("appear after you judge"))
        driver.press("pass")
        #expect(driver.text.contains("judged     1 of 120"))
        // The run says that it failed: the two differ.
        #expect(driver.text.contains("disputed   1"))
        #expect(driver.text.contains("last: pass for flag-3"))
        driver.press("left")
        #expect(driver.text.contains("failed  flag-3") && driver.text.contains("ratings differ"))
    }

    @Test("u undoes the last verdict and shows the sample again")
    func undo() throws {
        let driver = try EvalDriver()
        driver.press("queue", "grade")
        driver.answer("g")
        driver.press("sums", "undo")
        #expect(driver.text.contains("judged     1 of 120"))
        #expect(driver.text.contains("Dunancrest-8?"))
    }

    @Test("skipped samples do not count as judged, even with a comment")
    func skip() throws {
        let driver = try EvalDriver()
        driver.press("queue", "sort")
        #expect(driver.text.contains("0 of 120") && driver.text.contains("skipped    1"))
        driver.press("comment")
        driver.answer("the passage is wrong")
        #expect(driver.text.contains("skipped    2"))
    }

    @Test("agreement appears once two raters judge the same samples, and with the run's own score")
    func agreement() throws {
        let driver = try EvalDriver()
        driver.press("queue", "sums", "sums", "sums")
        #expect(driver.text.contains("the run's own score"))
        driver.press("rename")
        driver.answer("bob")
        #expect(driver.text.contains("rater      bob"))
        driver.press("sums", "sums", "pass")
        #expect(driver.text.contains("ada and bob"))
        #expect(driver.text.contains("66.7 % of 3 agree"))
    }

    @Test("S asks for a grade by the first letter of its word", arguments: zip("bpfge", 1...5))
    func grade(key: Character, number: Int) throws {
        let desk = EvalWorkspace.desk()
        let driver = try EvalDriver(desk)
        driver.press("queue", "grade")
        #expect(driver.prompt?.label == "Grade flag-3")
        driver.answer(String(key))
        #expect(try desk.ratings.ratings(of: desk.log(3).run).map(\.verdict) == [.grade(number)])
        #expect(driver.rows(with: " (\(number) of 5) for flag-3").count == 1)
    }

    @Test("digits switch places, in the queue as elsewhere")
    func digits() throws {
        let driver = try EvalDriver()
        driver.press("queue")
        for digit in "0123456789" {
            guard case .unbound = driver.host.press(Key(.character(digit))) else {
                Issue.record("\(digit) has an action")
                continue
            }
        }
        #expect(driver.text.contains("judged     0 of 120"))
    }

    @Test("S works in the queue and says so elsewhere")
    func elsewhere() throws {
        let driver = try EvalDriver()
        driver.press("grade")
        #expect(driver.refusals == ["works only in the queue: press Q"])
    }

    @Test("the queue of another run starts over, and a verdict applies to the sample on screen")
    func ofAnotherRun() throws {
        let desk = EvalWorkspace.desk()
        let driver = try EvalDriver(desk)
        driver.press("queue", "pass", "pass", "back", "down", "down", "queue")
        #expect(driver.text.contains("judged     0 of 120") && !driver.text.contains("last: pass"))
        #expect(driver.text.contains("flags mini-1") && driver.text.contains("Dunancrest-3?"))
        driver.press("sums")
        let run = try desk.log(1).run
        #expect(try desk.ratings.ratings(of: run).map(\.sample) == ["flag-3"])
        #expect(try desk.ratings.ratings(of: desk.log(3).run).count == 2)
        #expect(driver.text.contains("last: fail for flag-3, scored as failed"))
        // The first one's stands as it was left, and goes on behind what was judged.
        driver.press("back", "up", "up", "queue")
        #expect(driver.text.contains("judged     2 of 120"))
    }

    @Test("a sample without an answer passes only after a second confirmation")
    func withoutAnswer() throws {
        let driver = try EvalDriver()
        driver.press("open", "filter")
        driver.answer("error")
        driver.press("queue")
        try driver.type(String(repeating: "f", count: 24))
        // Those that failed are judged: the first one that ended in an error follows among the rest.
        var asked = 0
        for _ in 0..<40 where driver.prompt == nil {
            driver.press("pass")
            asked += 1
        }
        #expect(driver.prompt?.label == "Rate a sample without an answer?")
        // Nothing is judged until the question has its answer.
        let before = driver.rows(with: "judged ")
        driver.press("pass")
        #expect(driver.rows(with: "judged ") == before)
        driver.answer("r")
        #expect(driver.rows(with: "judged ") != before)
    }
}

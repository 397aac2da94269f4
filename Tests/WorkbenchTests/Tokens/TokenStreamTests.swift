import Console
import LanguageModels
import ModelLab
import Synchronization
import Testing
import Workbench
import Workspace

@Suite("The tokens page during a generation")
struct TokenStreamTests {
    static let words = (0..<200).map { "word\($0)" }
    let made: TestWorkspace

    init() throws { made = try TestWorkspace() }

    /// Creates a page whose clock advances by 9 ms at every reading, and asks it a question.
    private func asked() -> PageDriver<TokenPage> {
        let time = Mutex<Int64>(Place.now())
        let clock: @Sendable () -> Int64 = {
            time.withLock { now in
                now += 9_000_000
                return now
            }
        }
        let driver = PageDriver(made.workspace) { context in
            TokenPage(PanelContext(workspace: context.workspace, settings: context.settings, now: clock))
        }
        driver.press("model")
        driver.answer("scripted:" + Self.words.joined(separator: " "))
        driver.press("say")
        driver.answer("count")
        return driver
    }

    @Test("steps arrive in order, in pieces, and the shown text grows with them")
    func grows() throws {
        let driver = asked()
        let replies = try driver.replies(ofStream: "answer 1")
        #expect(replies.count > 5)
        var shown = 0
        for reply in replies.dropLast() {
            driver.hear(reply)
            let last = Self.words.lastIndex { driver.text.contains($0 + " ") || driver.text.contains($0 + "\n") }
            #expect(last.map { $0 >= shown } ?? (shown == 0))
            shown = last ?? shown
            #expect(driver.text.contains("answering"))
        }
        #expect(shown > 150)
        driver.hear(try #require(replies.last))
        #expect(!driver.text.contains("answering"))
        #expect(driver.text.contains("word199"))
        let kept = try #require(try made.generations.generation(1))
        #expect(kept.steps.map { $0.text.filter { $0 != " " } } == Self.words)
    }

    @Test("a user who leaves the answer is not moved back and finds the complete answer later")
    func elsewhere() throws {
        let driver = asked()
        let replies = try driver.replies(ofStream: "answer 1")
        for reply in replies.prefix(3) { driver.hear(reply) }
        driver.press("new")
        for reply in replies.dropFirst(3) { driver.hear(reply) }
        #expect(!driver.text.contains("word10"))
        #expect(!driver.text.contains("answering"))
        driver.open(Reference(.generation, [1], title: ""))
        #expect(driver.text.contains("word0"))
    }

    @Test("the cursor stays where the user moved it")
    func movesUp() throws {
        let driver = asked()
        let replies = try driver.replies(ofStream: "answer 1")
        for reply in replies.prefix(4) { driver.hear(reply) }
        driver.press("top")
        for reply in replies.dropFirst(4) { driver.hear(reply) }
        #expect(driver.text.contains("Token 1 ── word0"))
    }
}

import Console
import LanguageModels
import ModelLab
import Synchronization
import Testing
import Workbench
import Workspace

@Suite("The tokens panel during a generation")
struct TokenStreamTests {
    static let words = (0..<200).map { "word\($0)" }
    let made: TestWorkspace

    init() throws { made = try TestWorkspace() }

    /// A panel that is driven without a shell; what a stream tells is held back.
    private final class Streaming {
        var panel: TokenPanel
        var told: [TokenAnswer] = []

        init(_ workspace: Workspace) {
            let time = Mutex<Int64>(Place.now())
            let clock: @Sendable () -> Int64 = {
                // Every look at the clock is 9 ms later.
                time.withLock { now in
                    now += 9_000_000
                    return now
                }
            }
            panel = TokenPanel(PanelContext(workspace: workspace, settings: Place.settings(), now: clock))
            perform(panel.update(.resize(Rect(Size(120, 40)))))
            perform(panel.update(.start(saved: nil)))
        }

        func perform(_ effects: [Effect<TokenAnswer>]) {
            for effect in effects {
                switch effect {
                case .ask(let key, let work):
                    do {
                        perform(panel.update(.answer(try work(Cancellation()))))
                    } catch {
                        perform(panel.update(.failed(key: key, sentence: "\(error)")))
                    }
                case .stream(_, let work):
                    let heard = Mutex<[TokenAnswer]>([])
                    guard let last = try? work(Cancellation(), { value in heard.withLock { $0.append(value) } }) else {
                        continue
                    }
                    told += heard.withLock { $0 } + [last]
                default: break
                }
            }
        }

        func type(_ line: TokenAnswer.Line, _ text: String) { perform(panel.update(.answer(.line(line, text)))) }

        var text: String {
            var surface = Surface(Size(120, 40))
            panel.render(into: &surface, area: Rect(Size(120, 40)), theme: .dark)
            return surface.textDump
        }
    }

    private func asked() -> Streaming {
        let streaming = Streaming(made.workspace)
        streaming.type(.model, "scripted:" + Self.words.joined(separator: " "))
        streaming.type(.say, "count")
        return streaming
    }

    @Test("steps arrive in order, in pieces, and the shown text grows with them")
    func grows() throws {
        let streaming = asked()
        #expect(streaming.told.count > 5)
        var shown = 0
        for value in streaming.told.dropLast() {
            streaming.perform(streaming.panel.update(.answer(value)))
            let last = Self.words.lastIndex { streaming.text.contains($0 + " ") || streaming.text.contains($0 + "\n") }
            #expect(last.map { $0 >= shown } ?? (shown == 0))
            shown = last ?? shown
            #expect(streaming.text.contains("answering"))
        }
        #expect(shown > 150)
        let whole = try #require(streaming.told.last)
        streaming.perform(streaming.panel.update(.answer(whole)))
        #expect(!streaming.text.contains("answering"))
        #expect(streaming.text.contains("word199"))
        let kept = try #require(try made.generations.generation(1))
        #expect(kept.steps.map { $0.text.filter { $0 != " " } } == Self.words)
    }

    @Test("a user who leaves the answer is not moved back and finds the complete answer later")
    func elsewhere() throws {
        let streaming = asked()
        let values = streaming.told
        for value in values.prefix(3) { streaming.perform(streaming.panel.update(.answer(value))) }
        streaming.told = []
        streaming.perform(streaming.panel.update(.action(.newSession)))
        for value in values.dropFirst(3) { streaming.perform(streaming.panel.update(.answer(value))) }
        #expect(!streaming.text.contains("word10"))
        #expect(!streaming.text.contains("answering"))
        streaming.perform(streaming.panel.open(Reference(.generation, [1], title: "")) ?? [])
        #expect(streaming.text.contains("word0"))
    }

    @Test("the cursor stays where the user moved it")
    func movesUp() throws {
        let streaming = asked()
        let values = streaming.told
        for value in values.prefix(4) { streaming.perform(streaming.panel.update(.answer(value))) }
        streaming.perform(streaming.panel.update(.action(.toTop)))
        for value in values.dropFirst(4) { streaming.perform(streaming.panel.update(.answer(value))) }
        #expect(streaming.text.contains("Token 1 ── word0"))
    }
}

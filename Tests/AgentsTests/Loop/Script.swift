import Agents
import LanguageModels
import Synchronization
import System

/// A model with scripted replies, which records its requests.
final class Script: LanguageModel {
    /// One answer.
    struct Answer: Sendable {
        var message: Message
        var finish: ModelResponse.FinishReason = .stop
        var tokens: Int? = 5
        var error: LanguageModelError?
        /// Happens while it answers.
        var meanwhile: (@Sendable () -> Void)?

        static func text(
            _ text: String, _ finish: ModelResponse.FinishReason = .stop, tokens: Int? = 5,
            meanwhile: (@Sendable () -> Void)? = nil
        ) -> Answer {
            Answer(message: Message(.assistant, [.text(text)]), finish: finish, tokens: tokens, meanwhile: meanwhile)
        }

        static func calls(_ calls: ToolCall...) -> Answer {
            Answer(message: Message(.assistant, calls.map(Message.Part.toolCall)), finish: .toolCalls)
        }

        static func failure(_ kind: LanguageModelError.Kind, _ problem: String) -> Answer {
            Answer(
                message: Message(.assistant, []),
                error: LanguageModelError(kind, model: "script", problem: problem))
        }
    }

    let name = "script"
    let provider = "test"
    let capabilities: ModelCapabilities
    private let answers: [Answer]
    private let asked = Mutex<[ModelRequest]>([])

    /// After the last answer it gives the last one again.
    init(_ answers: [Answer], acceptsMessages: Bool = false) {
        self.answers = answers
        capabilities = ModelCapabilities(acceptsMessages: acceptsMessages, acceptsText: true, acceptsTools: true)
    }

    convenience init(_ texts: String...) { self.init(texts.map { .text($0) }) }

    var requests: [ModelRequest] { asked.withLock { $0 } }

    /// The texts that it was asked to go on with.
    var prompts: [String] { requests.compactMap { if case .text(let text) = $0.input { text } else { nil } } }

    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        let turn = asked.withLock { asked in
            asked.append(request)
            return asked.count - 1
        }
        let answer = answers[min(turn, answers.count - 1)]
        answer.meanwhile?()
        if let error = answer.error { throw error }
        let text = answer.message.parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
        if !text.isEmpty { receive(.token(TokenStep(text: text))) }
        return ModelResponse(
            message: answer.message, finish: isCancelled() ? .cancelled : answer.finish,
            usage: answer.tokens.map { Usage(input: 10, output: $0) }, model: name, secondsToFirstToken: nil,
            seconds: 0)
    }
}

/// Collects what runs report.
final class Records: AgentRunSink {
    private let kept = Mutex<[AgentRunRecord]>([])

    var all: [AgentRunRecord] { kept.withLock { $0 } }
    var calls: [ModelCall] { all.compactMap { if case .model(let call, _) = $0 { call } else { nil } } }
    var tools: [ToolRun] { all.compactMap { if case .tool(let run, _) = $0 { run } else { nil } } }
    var ending: RunEnd? { all.compactMap { if case .ended(let ending) = $0 { ending } else { nil } }.last }

    func record(_ record: AgentRunRecord) { kept.withLock { $0.append(record) } }
}

/// A clock that stands still until it is moved.
final class HandClock: Sendable {
    private let seconds = Mutex(0.0)

    var now: Double { seconds.withLock { $0 } }
    func move(_ by: Double) { seconds.withLock { $0 += by } }

    var agent: Clock {
        Clock(seconds: { self.now }, wall: { 1_790_000_000_000_000_000 + Int64(self.now * 1e9) })
    }
}

/// A switch that a script may throw.
final class Switch: Sendable {
    private let flag = Mutex(false)
    var isOn: Bool { flag.withLock { $0 } }
    func turnOn() { flag.withLock { $0 = true } }
}

/// The three tools over a small world.
func tools() throws -> ToolBox {
    try ToolBox([
        Calculator(), LookupTool(LookupTable([(key: "Norway capital", value: "Oslo")])),
        SearchTool(["The lamp of Vell is green."]),
    ])
}

func action(_ tool: String, _ key: String, _ value: String) -> String {
    #"Action: {"tool": "\#(tool)", "arguments": {"\#(key)": "\#(value)"}}"#
}

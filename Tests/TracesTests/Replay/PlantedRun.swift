import LanguageModels
import Traces

/// A conversation whose bill is computed from what is in it, so that a breakdown can be held against the truth: three
/// bytes/token, 80 tokens per exchange, and a number of tokens that are not in the log.
struct PlantedRun {
    var run = MadeRun()
    let agent: Int
    /// Billed and not in the log.
    var hidden: Int
    /// Bytes a token; the model.
    var density = 3.0
    var model = "opus"
    private(set) var head: Int?
    private(set) var billed = 0
    private(set) var calls: [Int] = []
    private var tokens = 0.0

    init(hidden: Int) {
        self.hidden = hidden
        agent = run.agent()
    }

    /// Something is said; its tokens are counted unless it is nothing to the model.
    mutating func say(
        _ role: Role, _ text: Int = 0, by span: Int? = nil, reasoning: Int = 0, calls: Int = 0, results: Int = 0,
        definitions: Int = 0, attachments: Int = 0, marks: MessageEntry.Marks = []
    ) {
        head = run.say(
            role, text, after: head, by: span, reasoning: reasoning, calls: calls, results: results,
            definitions: definitions, attachments: attachments, marks: marks)
        tokens += Double(text + reasoning + calls + results + definitions) / density + (results > 0 ? 80 : 0)
    }

    /// Tokens that are added, or with a negative number taken away, without a trace in the log.
    mutating func change(by tokens: Int) { self.tokens += Double(tokens) }

    /// A call that reads all of it.
    @discardableResult
    mutating func call(isBilled: Bool = true) -> Int {
        billed = hidden + Int(tokens.rounded())
        let call = run.call(in: agent, reading: head, input: isBilled ? billed : nil, model: model)
        calls.append(call)
        return call
    }

    /// An exchange with a tool, of sizes that differ from step to step, up to the call that reads its result.
    mutating func exchange(_ step: Int) {
        say(.assistant, 40 + step % 7 * 30, by: calls.last, calls: 90 + step % 5 * 60)
        let tool = run.tool(in: agent)
        say(.tool, by: tool, results: 100 + step % 11 * 170)
        call()
    }

    /// A question and as many exchanges.
    mutating func work(_ exchanges: Int) {
        say(.user, 600)
        call()
        for step in 0..<exchanges { exchange(step) }
    }
}

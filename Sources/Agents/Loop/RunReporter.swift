internal import LanguageModels
internal import System

/// Tells a sink what happened, with numbers for spans and times that never run backwards.
struct RunReporter {
    private let sink: (any AgentRunSink)?
    private let clock: Clock
    private let wallStart: Int64
    private let start: Double
    private var last = 0

    init(_ sink: (any AgentRunSink)?, _ clock: Clock) {
        self.sink = sink
        self.clock = clock
        wallStart = clock.wall()
        start = clock.seconds()
    }

    /// Nanoseconds since 1970: the wall clock at the beginning and what has passed since, for it may be set meanwhile.
    var now: Int64 { wallStart + Int64(max(0, clock.seconds() - start) * 1e9) }

    /// Seconds since the beginning.
    var elapsed: Double { max(0, clock.seconds() - start) }

    func began(
        _ agent: String, _ question: String, _ model: any LanguageModel, _ tools: ToolBox,
        _ settings: [RunStart.Setting]
    ) {
        sink?.record(
            .began(
                RunStart(
                    agent: agent, question: question, model: model.name, provider: model.provider,
                    tools: tools.definitions, settings: settings, start: wallStart)))
    }

    mutating func model(_ call: ModelCall) {
        last += 1
        sink?.record(.model(call, SpanPosition(number: last)))
    }

    mutating func tool(_ run: ToolRun) {
        last += 1
        sink?.record(.tool(run, SpanPosition(number: last)))
    }

    func ended(_ outcome: AgentOutcome, steps: Int, usage: Usage) {
        sink?.record(
            .ended(
                RunEnd(
                    outcome: outcome.name, answer: outcome.answer, problem: outcome.problem, steps: steps, usage: usage,
                    end: now)))
    }
}

public import Inference
public import LanguageModels

/// The meter of answers, for a measurement of what watching costs.
public struct LiveMeterProbe {
    private var meter: LiveMeter

    public init(model: LocalModel, completion: Completion) {
        meter = LiveMeter(model: model, completion: completion, prompt: completion.promptCount)
    }

    public mutating func note(_ step: TokenStep) { meter.note(step) }
}

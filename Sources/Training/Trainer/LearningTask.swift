internal import Tensors

/// A step that was given up between two of its batches.
struct StepCancelled: Error {}

/// What a run learns: a model with its data, as the loop sees them.
///
/// Everything is a function of the step: a task that is made again from the same configuration goes on with the same
/// bits once it has the same weights.
protocol LearningTask: AnyObject {
    /// What steps change.
    var parameters: [Parameter<Float>] { get }
    /// All numbers of the model, those that rest too.
    var parameterCount: Int { get }
    /// `tokens`, `examples`.
    var unit: String { get }
    var unitsPerStep: Int { get }
    /// Steps that go through all data once.
    var stepsPerEpoch: Double { get }
    /// Arithmetic of one step, forward and backward; 0 if it was not counted.
    var flopsPerStep: Double { get }
    /// What the last step really went through: less than a whole step where rows ended in padding.
    var lastWork: (units: Int, flops: Double) { get }
    /// Of all data.
    var dataDigest: UInt64 { get }
    /// What a person should know of the data and the configuration, in sentences.
    var notes: [String] { get }

    /// Adds the gradients of a step's batches to the parameters and returns their mean loss; `nil` if nothing of
    /// them counts.
    ///
    /// - Parameters:
    ///   - step: from 0.
    ///   - isCancelled: asked between the batches of the step.
    /// - Throws: `StepCancelled` if the caller cancels; nothing but gradients has changed.
    func learn(step: Int, isCancelled: () -> Bool) throws -> Double?
    /// Curves of a test on data that are not learned, `validation/loss` first; empty if there are none.
    func evaluate() throws -> [(series: String, value: Double)]
    /// What the model writes after each of the configuration's prompts.
    func samples(step: Int) throws -> [(prompt: String, text: String)]
    /// Writes the model into a folder in the layout that the runtime and others load.
    func export(to folder: String) throws
}

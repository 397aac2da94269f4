import Tensors
import Testing
import Training

@Suite("Training goes as torch's does")
struct ParityTests {
    /// Losses of every step, and the gradients of the first.
    private func run<Job: ParityJob>(
        _ type: Job.Type
    ) throws -> (losses: [Float], gradients: [(name: String, gradient: Tensor<Float>?)]) {
        var job = try type.init()
        var losses: [Float] = []
        var gradients: [(name: String, gradient: Tensor<Float>?)] = []
        for step in 0..<type.steps {
            let loss = try job.loss()
            clearGradients(of: job.parameters)
            try loss.backward()
            if step == 0 { gradients = job.parameters.map { ($0.name, $0.gradient) } }
            try job.learn()
            losses.append(loss.scalar ?? .nan)
        }
        return (losses, gradients)
    }

    @Test("loss for loss, and gradient for gradient", arguments: [0, 1, 2])
    func curves(place: Int) throws {
        let jobs: [any ParityJob.Type] = [ParityGPT.self, ParityMLP.self, ParityConvolution.self]
        let job = jobs[place]
        let golden = try ParityGolden(job.name)
        let (losses, gradients) = try run(job)
        #expect(golden.losses.last ?? .nan < golden.losses[0] - 0.3)
        #expect(golden.worstLoss(Array(losses)) < 1e-5)
        #expect(try golden.worstGradient(gradients) < 1e-5)
    }

    @Test("a language model gives the same logits")
    func logits() throws {
        var job = try ParityGPT()
        let golden = try ParityGolden("gpt").logits
        let found = try job.model.logits(job.tokens().inputs, .evaluation).value[
            (ParityGPT.context - 4)..<ParityGPT.context
        ].elements
        #expect(found.count == 4 * ParityGPT.symbols && golden.count == found.count)
        for (a, b) in zip(found, golden) { #expect(abs(Double(a) - b) < 1e-5) }
    }

    @Test("one batch of eight sequences is learned by heart within 300 steps")
    func memory() throws {
        let model = try ParityGPT.model()
        var draws = ParityNumbers("memory")
        let shape = [8, ParityGPT.context]
        // Nothing but chance: what comes next can only be remembered.
        var (tokens, next): ([Int32], [Int32]) = ([], [])
        for place in 0..<8 * ParityGPT.context {
            tokens.append(Int32(draws.word() % UInt32(ParityGPT.symbols)))
            if place > 0 { next.append(place % ParityGPT.context == 0 ? -1 : tokens[place]) }
        }
        let inputs = try Tensor(tokens, shape: shape)
        let targets = try Tensor(next + [-1], shape: shape)
        var optimizer = try Optimizer<Float>(.adamW, ["weight_decay": 0])
        var loss = Float.infinity
        var steps = 0
        while loss >= 0.01, steps < 300 {
            let found = try model.loss(inputs, targets: targets, Pass(isTraining: true))
            clearGradients(of: model.parameters)
            try found.backward()
            _ = try clipGradients(of: model.parameters, toNorm: 1)
            try optimizer.step(model.parameters, rate: 3e-3)
            loss = found.scalar ?? .nan
            steps += 1
        }
        #expect(loss < 0.01, "\(loss) after \(steps) steps")
    }
}

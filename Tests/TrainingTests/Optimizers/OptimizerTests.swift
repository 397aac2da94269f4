import Tensors
import Testing
import Training

@Suite("Optimizers")
struct OptimizerTests {
    @Test("ten steps lead where torch, or the formula, leads", arguments: OptimizerCase.all)
    func tenSteps(variant: OptimizerCase) throws {
        let golden = try OptimizerGolden()
        var single = try variant.optimizer(of: Float.self)
        var double = try variant.optimizer(of: Double.self)
        let floats = try golden.parameters(as: Float.self)
        let doubles = try golden.parameters(as: Double.self)
        for step in 0..<OptimizerGolden.steps {
            try single.step(golden, step, floats, rate: variant.rate)
            try double.step(golden, step, doubles, rate: variant.rate)
        }
        #expect(try golden.worst(variant.name, floats) < 1e-5)
        #expect(try golden.worst(variant.name, doubles) < 1e-12)
        #expect(single.steps == OptimizerGolden.steps)
    }

    @Test("one that takes up the state of another goes on with the same bits", arguments: OptimizerCase.all)
    func resumed(variant: OptimizerCase) throws {
        let golden = try OptimizerGolden()
        var optimizer = try variant.optimizer(of: Float.self)
        let parameters = try golden.parameters(as: Float.self)
        for step in 0..<4 { try optimizer.step(golden, step, parameters, rate: variant.rate) }
        let copies = parameters.map { Parameter($0.name, $0.value) }
        var resumed = try variant.optimizer(of: Float.self)
        let state = Dictionary(uniqueKeysWithValues: optimizer.state.map { ($0.name, $0.value) })
        try resumed.restore(state, steps: optimizer.steps)
        for step in 4..<OptimizerGolden.steps {
            try optimizer.step(golden, step, parameters, rate: variant.rate)
            try resumed.step(golden, step, copies, rate: variant.rate)
        }
        #expect(resumed.steps == optimizer.steps)
        for (parameter, copy) in zip(parameters, copies) {
            #expect(parameter.value.elements.map(\.bitPattern) == copy.value.elements.map(\.bitPattern))
        }
    }

    @Test("frozen parameters, and those without a gradient, stay")
    func untouched() throws {
        let frozen = Parameter("frozen", try Tensor<Float>([1, 2]), isTrainable: false)
        let idle = Parameter("idle", try Tensor<Float>([3, 4]))
        let moving = Parameter("moving", try Tensor<Float>([5, 6]))
        frozen.gradient = try Tensor([1, 1])
        moving.gradient = try Tensor([1, -1])
        for variant in OptimizerCase.all {
            var optimizer = try variant.optimizer(of: Float.self)
            let before = moving.value
            try optimizer.step([frozen, idle, moving], rate: 0.1)
            #expect(moving.value != before)
            #expect(optimizer.state.allSatisfy { $0.name.hasPrefix("moving/") })
        }
        #expect(frozen.value.elements == [1, 2])
        #expect(idle.value.elements == [3, 4])
    }

    @Test("a parameter that joins late is corrected for its own steps")
    func lateParameter() throws {
        let early = Parameter("early", try Tensor<Double>([0.0]))
        let late = Parameter("late", try Tensor<Double>([0.0]))
        var optimizer = try Optimizer<Double>(.adam)
        early.gradient = try Tensor([0.5])
        for _ in 0..<50 { try optimizer.step([early, late], rate: 0.01) }
        late.gradient = try Tensor([0.5])
        try optimizer.step([early, late], rate: 0.01)
        // The first step of Adam is the rate, whatever the gradient.
        #expect(abs(late.value.elements[0] + 0.01) < 1e-8)
    }

    @Test("groups have rates and decays of their own")
    func groups() throws {
        let names = ["slow", "plain", "still"]
        let parameters = try names.map { Parameter($0, try Tensor<Double>([1.0])) }
        for parameter in parameters { parameter.gradient = try Tensor([0.0]) }
        var optimizer = try Optimizer<Double>(
            .adamW, ["weight_decay": 0.1],
            groups: [
                ParameterGroup(.named(containing: "slow"), rateFactor: 0.5),
                ParameterGroup(.named(containing: "still"), weightDecay: 0),
            ])
        try optimizer.step(parameters, rate: 0.2)
        #expect(parameters.map { $0.value.elements[0] } == [1 - 0.1 * 0.1, 1 - 0.2 * 0.1, 1])
    }

    @Test("a parameter that is given twice moves once")
    func shared() throws {
        let parameter = Parameter("tied", try Tensor<Float>([1]))
        parameter.gradient = try Tensor([1])
        var optimizer = try Optimizer<Float>(.sgd)
        try optimizer.step([parameter, parameter], rate: 0.25)
        #expect(parameter.value.elements == [0.75])
    }

    @Test(
        "Muon takes hidden matrices, and neither embeddings, heads, gains nor biases",
        arguments: [
            ("blk.0.attn_q.weight", [8, 8], true), ("blk.0.attn_output.weight", [8, 8], true),
            ("hidden.weight", [4, 2, 3, 3], true), ("model.layers.1.mlp.up_proj.weight", [8, 8], true),
            ("token_embd.weight", [9, 8], false), ("transformer.wte.weight", [9, 8], false),
            ("model.embed_tokens.weight", [9, 8], false), ("output.weight", [9, 8], false),
            ("lm_head.weight", [9, 8], false), ("blk.0.attn_norm.weight", [8], false),
            ("blk.0.attn_q.bias", [8], false),
        ])
    func hiddenMatrices(name: String, shape: [Int], isHidden: Bool) {
        #expect(ParameterFilter.hiddenMatrices.contains(name, shape: shape) == isHidden)
    }

    @Test("a step reports how far each parameter moved")
    func updateRatios() throws {
        let parameters = [
            Parameter("a", try Tensor<Float>([3, 4])), Parameter("b", try Tensor<Float>([0, 0, 0])),
        ]
        parameters[0].gradient = try Tensor([0.6, 0.8])
        parameters[1].gradient = try Tensor([0, 0, 2])
        var optimizer = try Optimizer<Float>(.sgd)
        let ratios = try optimizer.measuredStep(parameters, rate: 0.5)
        #expect(ratios.map(\.name) == ["a", "b"])
        #expect(abs(ratios[0].ratio - 0.1) < 1e-7)
        #expect(ratios[0].weight == 5)
        #expect(ratios[1].update == 1)
        #expect(ratios[1].ratio == .infinity)
    }
}

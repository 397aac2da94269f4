import Tensors
import Testing
import Training

@Suite("Gradients of graphs")
struct AutogradTests {
    @Test("micrograd's example has micrograd's numbers")
    func micrograd() throws {
        let a = Parameter("a", try Tensor(-4.0))
        let b = Parameter("b", try Tensor(2.0))
        var (c, d) = (try a.variable + b.variable, try a.variable * b.variable + b.variable.power(3))
        c = try c + (c + 1)
        c = try c + (1 + c - a.variable)
        d = try d + (d * 2 + relu(b.variable + a.variable))
        d = try d + (3 * d + relu(b.variable - a.variable))
        let f = try (c - d).power(2)
        let g = try f / 2 + 10 / f
        try g.backward()
        func rounded(_ value: Double?) -> Double? { value.map { ($0 * 10_000).rounded() / 10_000 } }
        #expect(rounded(g.scalar) == 24.7041)
        #expect(rounded(a.gradient?.scalar) == 138.8338)
        #expect(rounded(b.gradient?.scalar) == 645.5773)
    }

    @Test("random graphs agree with torch")
    func compositeGraphs() throws {
        let graphs = try CompositeGraph.all()
        #expect(graphs.count == 24)
        for (place, graph) in graphs.enumerated() {
            let leaves = graph.inputs.map { Variable.leaf($0) }
            let (last, loss) = try graph.run(leaves)
            let largest = graph.last.map(Swift.abs).max() ?? 0
            for (found, expected) in zip(last.value.elements, graph.last) {
                #expect(Swift.abs(found - expected) <= 1e-5 * max(1, largest), "the last value of graph \(place)")
            }
            #expect(Swift.abs((loss.scalar ?? .nan) - graph.loss) <= 1e-5 * graph.loss, "the loss of graph \(place)")
            let gradients = try loss.gradients(for: leaves)
            let norm = graph.gradients.joined().map(Swift.abs).max() ?? 0
            for (input, (gradient, expected)) in zip(gradients, graph.gradients).enumerated() {
                #expect(gradient.count == expected.count)
                let worst = zip(gradient.value.elements, expected).map { Swift.abs($0 - $1) }.max() ?? .infinity
                #expect(worst <= 1e-4 * norm, "input \(input) of graph \(place)")
            }
        }
    }

    @Test("a graph of 100,000 nodes is walked and released without deep recursion", arguments: [true, false])
    func deepGraph(isWalked: Bool) throws {
        let p = Parameter("p", try Tensor<Float>(1))
        var x = p.variable
        for _ in 0..<33_334 { x = try x * 0.5 + x * 0.5 }
        if isWalked {
            try x.backward()
            #expect(p.gradient?.scalar == 1)
        }
        #expect(x.scalar == 1)
    }

    @Test("a variable in the middle has the gradient of everything behind it")
    func intermediate() throws {
        let x = Variable.leaf(try Tensor([3.0]))
        let y = try x * x
        let z = try y * y + y
        let gradients = try z.gradients(for: [y, x, z])
        #expect(gradients[0].value.elements == [19])
        #expect(gradients[1].value.elements == [114])
        #expect(gradients[2].value.elements == [1])
    }

    @Test("only what leads to the wanted variables is walked")
    func pruned() throws {
        let (x, other) = (Variable.leaf(try Tensor(2.0)), Variable.leaf(try Tensor(3.0)))
        let refusing = Variable.made(by: "refusing", try Tensor(5.0), from: [other]) { _ throws(TensorError) in
            throw TensorError("refusing", problem: "was asked")
        }
        let y = try x * x + refusing
        #expect(try y.gradients(for: [x])[0].scalar == 4)
        #expect(throws: TensorError("refusing", problem: "was asked")) { try y.gradients(for: [other]) }
    }

    @Test("gradients of gradients: the third derivative of x⁴, and a Hessian of two variables")
    func higherOrder() throws {
        let x = Variable.leaf(try Tensor(2.0))
        var y = try x.power(4)
        for expected in [32.0, 48, 48, 24] {
            y = try y.gradients(for: [x], recorded: true)[0]
            #expect(y.scalar == expected)
        }
        let (a, b) = (Variable.leaf(try Tensor(2.0)), Variable.leaf(try Tensor(3.0)))
        let first = try (a * a * b).gradients(for: [a, b], recorded: true)
        #expect(try first[0].gradients(for: [a, b]).map(\.scalar) == [6, 4])
        #expect(try first[1].gradients(for: [a, b]).map(\.scalar) == [4, 0])
    }

    @Test("parameters gather gradients until they are cleared; those that are not trained get none")
    func parameters() throws {
        let (w, frozen) = (
            Parameter("w", try Tensor([1.0, 2])), Parameter("frozen", try Tensor([3.0, 4]), isTrainable: false)
        )
        for _ in 0..<2 { try (w.variable * frozen.variable).sum().backward() }
        #expect(w.gradient?.elements == [6, 8])
        #expect(frozen.gradient == nil)
        w.gradient = nil
        w.isTrainable = false
        frozen.isTrainable = true
        try (w.variable * frozen.variable).sum().backward()
        #expect(w.gradient == nil)
        #expect(frozen.gradient?.elements == [1, 2])
    }

    @Test("a gradient is memory of its own, which can be changed without changing others")
    func ownMemory() throws {
        let (a, b) = (Parameter("a", try Tensor([1.0, 2])), Parameter("b", try Tensor([1.0, 2])))
        try (a.variable + b.variable).sum().backward()
        #expect(a.gradient?.isContiguous == true)
        try a.gradient?.withMutableElements { $0[0] = 7 }
        #expect(b.gradient?.elements == [1, 1])
    }

    @Test("after the way back no other owner holds a parameter's memory: it is changed in place")
    func inPlace() throws {
        let w = Parameter("w", try Tensor<Float>.normal([8, 8], seed: 1))
        let x = Variable(try Tensor<Float>.normal([4, 8], seed: 2))
        let loss = try (tanh(matmul(x, w.variable)) + linear(x, weight: w.variable)).power(2).mean()
        try loss.backward()
        let (value, gradient) = (w.value.base, w.gradient?.base)
        try w.value.withMutableElements { $0[0] += 1 }
        try w.gradient?.withMutableElements { $0[0] = 0 }
        #expect(w.value.base == value)
        #expect(w.gradient?.base == gradient)
        #expect(loss.isRecorded)
    }

    @Test("what comes from constants keeps nothing")
    func constants() throws {
        let w = Parameter("w", try Tensor([1.0, 2]))
        let y = try tanh(Variable(w.value) * w.variable.detached)
        #expect(!y.isRecorded)
        #expect(y.footprint == (0, 0))
    }

    @Test("two walks of one graph, and two graphs alike, give the same bits")
    func sameBits() throws {
        let values = try Tensor<Float>.normal([64], seed: 3)
        func gradient(_ w: Parameter<Float>) throws -> [Float] {
            w.gradient = nil
            let x = w.variable
            var sum = try (x * x).sum()
            for scale in 1..<20 { sum = try sum + (sin(x * Float(scale)) * x).mean() }
            try sum.backward(keepingGraph: true)
            let first = try #require(w.gradient)
            w.gradient = nil
            try sum.backward()
            #expect(w.gradient == first)
            return first.elements
        }
        #expect(try gradient(Parameter("w", values)) == gradient(Parameter("v", values)))
    }

    @Test("wrong use is answered with a sentence")
    func wrongUse() throws {
        let w = Parameter("w", try Tensor([1.0, 2]))
        func sentence(_ body: () throws -> Void) -> String {
            do { try body() } catch let error as TensorError { return error.sentence } catch {}
            return "no error"
        }
        let square = try w.variable * w.variable
        #expect(
            sentence { try square.backward() }
                == "backward: [2] is not a scalar. Pass a seed, or reduce it first.")
        #expect(
            sentence { try square.backward(seed: Tensor([1.0])) }
                == "backward: [2] and [1] are incompatible: the seed must have the shape of the variable.")
        #expect(
            sentence { try Variable(Tensor(1.0)).backward() }
                == "backward: [] depends on constants only: there are no parameters to differentiate with respect to.")
        let (first, second) = (try square.sum(), try square.mean())
        try first.backward()
        #expect(
            sentence { try second.backward() }
                == "backward: the graph of * was released by an earlier pass. Retain the graph in that pass.")
        #expect(w.gradient?.elements == [2, 4])
        let fused = Variable.made(by: "fused", w.value, from: [w.variable], isTwiceDifferentiable: false) {
            [$0.gradient]
        }
        #expect(
            sentence { _ = try fused.sum().gradients(for: [w.variable], recorded: true) }
                == "backward: the gradient of fused cannot be differentiated again.")
        let wrong = Variable.made(by: "wrong", w.value, from: [w.variable]) { back throws(TensorError) in
            [try back.gradient.sum()]
        }
        #expect(
            sentence { try wrong.sum().backward() }
                == "backward: [2] and [] are incompatible: wrong returns a gradient of the wrong shape for input 0.")
    }
}

import JSON
import KernelLab
import System
import TestFixtures
import Testing

@Suite("estimates")
struct KernelEstimateTests {
    private static let llama2 = ModelDescription(
        name: "Llama 2 7B", parameters: 6_738_415_616, layers: 32, hidden: 4096, heads: 32, inner: 11_008,
        vocabulary: 32_000)
    private static let llama3 = ModelDescription(
        name: "Llama 3 8B", parameters: 8_030_261_248, layers: 32, hidden: 4096, heads: 32, kvHeads: 8,
        inner: 14_336, vocabulary: 128_256, context: 8192)

    private static func request(
        _ model: ModelDescription = llama2, _ change: (inout EstimateRequest) -> Void = { _ in }
    ) -> EstimateRequest {
        var request = EstimateRequest(model: model)
        change(&request)
        return request
    }

    private func value(_ name: String, _ request: EstimateRequest) throws -> Double {
        try #require(try KernelEstimate(request).line(name)).value
    }

    @Test("training is six operations a parameter and token, and the attention on top") func training() throws {
        var request = Self.request { $0.trainingTokens = 2e12 }
        // 6 × 6,738,415,616 × 2e12.
        #expect(figuresAgree(try value("products with weights", request), 8.0860987392e22))
        // 12 × 32 × 4096 × 4096 × 2e12 / 2.
        #expect(figuresAgree(try value("attention scores and mix", request), 6.442450944e21))
        request.causal = false
        #expect(figuresAgree(try value("attention scores and mix", request), 1.2884901888e22))
        request.recompute = .full
        // 8 × 6,738,415,616 × 2e12; 4/3 of the scores.
        #expect(figuresAgree(try value("products with weights", request), 1.07814649856e23))
        #expect(figuresAgree(try value("attention scores and mix", request), 1.7179869184e22))
    }

    @Test("time is operations over devices, peak and utilization") func time() throws {
        let request = Self.request {
            $0.trainingTokens = 2e12
            $0.devices = 1024
            $0.peak = 312e12
            $0.utilization = 0.5
        }
        // (8.0860987392e22 + 6.442450944e21) / (1024 × 312e12 × 0.5) = 546,521 s.
        #expect(figuresAgree(try value("training time", request), 8.73034383360e22 / 1.59744e17))
    }

    @Test(
        "a parameter takes 16 bytes in mixed precision, divided as the stage of ZeRO says",
        arguments: [
            // 2 N, 2 N, 12 N of 6,738,415,616, on 8 devices.
            (0, 13_476_831_232.0, 13_476_831_232.0, 80_860_987_392.0),
            (1, 13_476_831_232.0, 13_476_831_232.0, 10_107_623_424.0),
            (2, 13_476_831_232.0, 1_684_603_904.0, 10_107_623_424.0),
            (3, 1_684_603_904.0, 1_684_603_904.0, 10_107_623_424.0),
        ])
    func memory(stage: Int, weights: Double, gradients: Double, states: Double) throws {
        let request = Self.request {
            $0.devices = 8
            $0.zeroStage = stage
        }
        #expect(try value("weights", request) == weights)
        #expect(try value("gradients", request) == gradients)
        #expect(try value("optimizer states", request) == states)
    }

    @Test(
        "optimizers keep what they keep",
        arguments: [
            // Bytes of states a parameter, mixed (with 4 of a master copy) and full.
            (EstimateRequest.Optimizer.adam, 12.0, 8.0), (.adam8bit, 6, 2), (.momentum, 8, 4), (.sgd, 4, 0),
        ])
    func optimizers(optimizer: EstimateRequest.Optimizer, mixed: Double, full: Double) throws {
        var request = Self.request { $0.optimizer = optimizer }
        #expect(try value("optimizer states", request) == mixed * 6_738_415_616)
        request.precision = .full
        #expect(try value("optimizer states", request) == full * 6_738_415_616)
        #expect(try value("weights", request) == 4 * 6_738_415_616)
    }

    @Test("activations follow their formula") func activations() throws {
        var request = Self.request {
            $0.sequence = 4096
            $0.flashAttention = false
        }
        // 4096 × 1 × 4096 × 32 × (34 + 5 × 32 × 4096 / 4096) = 536,870,912 × 194.
        #expect(try value("activations", request) == 104_152_956_928)
        request.flashAttention = true
        #expect(try value("activations", request) == 18_253_611_008)
        request.recompute = .full
        #expect(try value("activations", request) == 1_073_741_824)
        request.microBatch = 4
        #expect(try value("activations", request) == 4_294_967_296)
    }

    @Test("the KV cache shrinks with grouped queries") func cache() throws {
        // 2 × 32 × 32 × 128 × 2 bytes per token, × 4096 tokens; with 8 of 32 heads a quarter, × 8192 tokens × 16.
        #expect(try value("KV cache per token", Self.request()) == 524_288)
        #expect(try value("KV cache", Self.request()) == 2_147_483_648)
        let grouped = Self.request(Self.llama3) {
            $0.sequence = 8192
            $0.batch = 16
        }
        #expect(try value("KV cache per token", grouped) == 131_072)
        #expect(try value("KV cache", grouped) == 17_179_869_184)
    }

    @Test("decoding is bound by what it reads") func decoding() throws {
        var request = Self.request(Self.llama3) { $0.sequence = 8192 }
        request.use(try #require(DeviceCatalog.builtIn.peaks(for: "H100")))
        // 3350e9 / (16,060,522,496 + 1,073,741,824).
        #expect(figuresAgree(try value("decoding, bound by bandwidth", request), 3350e9 / 17_134_264_320))
        // 989.4e12 / (2 × 8,030,261,248).
        #expect(figuresAgree(try value("decoding, bound by arithmetic", request), 61_604.4709))
        request.batch = 16
        // 3350e9 × 16 / (16,060,522,496 + 17,179,869,184).
        #expect(figuresAgree(try value("decoding, bound by bandwidth", request), 5.36e13 / 33_240_391_680))
        // 989.4e12 / 3350e9 × 2 / 2.
        #expect(figuresAgree(try value("batch at the ridge", request), 295.34328))
        // 3350e9 × 600 ns: 2 MB, as for all of an H100.
        #expect(figuresAgree(try value("bytes in flight", request), 2_010_000))
    }

    @Test("prefill is two operations a parameter and token, and the attention") func prefill() throws {
        var request = Self.request(Self.llama3) { $0.sequence = 8192 }
        // 2 × 8,030,261,248 × 8192 + 2 × 32 × 8192² × 4096.
        #expect(figuresAgree(try value("prefill of a sequence", request), 131_567_800_287_232 + 17_592_186_044_416))
        request.peak = 989.4e12
        request.utilization = 0.5
        #expect(figuresAgree(try value("prefill time", request), 149_159_986_331_648 / 494.7e12))
    }

    @Test("without a device there are no times, and every line has its formula") func lines() throws {
        let estimate = try KernelEstimate(Self.request())
        #expect(estimate.line("training time") == nil && estimate.line("decoding, bound by bandwidth") == nil)
        for line in estimate.groups.flatMap(\.lines) {
            #expect(!line.formula.isEmpty && !line.source.isEmpty && line.value.isFinite, "\(line.name)")
        }
        #expect(estimate.line("KV cache per token")?.formula.hasSuffix("= 2 × 32 × 32 × 128 × 2") ?? false)
        try JSONParser().parse(estimate.json()) { root in
            #expect(root["groups"]?.count == 3 && root["model"]?["layers"]?.int == 32)
        }
    }

    @Test("impossible requests are answered with a sentence") func impossible() {
        let cases: [((inout EstimateRequest) -> Void, String)] = [
            ({ $0.devices = 0 }, "devices must be above 0"), ({ $0.zeroStage = 4 }, "stage must be 0 to 3"),
            ({ $0.utilization = 40 }, "share of the peak"), ({ $0.model.kvHeads = 5 }, "share 5 KV heads evenly"),
            ({ $0.model.parameters = .nan }, "parameters must be"), ({ $0.model.layers = 0 }, "layers must be"),
        ]
        for (change, words) in cases {
            let error = #expect(throws: Problem.self) { try KernelEstimate(Self.request(Self.llama2, change)) }
            #expect(error?.sentence.contains(words) ?? false, "\(error?.sentence ?? "")")
        }
    }
}

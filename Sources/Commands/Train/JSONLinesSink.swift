import CommandSupport
import JSON
import System
import Training

/// Forwards the data of a run to another sink, and prints the data as lines of JSON.
final class JSONLinesSink: RunSink {
    private let sink: any RunSink

    init(_ sink: some RunSink) { self.sink = sink }

    func begin(_ description: RunDescription, at step: Int, isNew: Bool) throws(Problem) {
        try sink.begin(description, at: step, isNew: isNew)
        print("run", step) {
            $0.member("name", description.name)
            $0.member("parameters", description.parameters)
            $0.member("batch", description.batch)
            $0.member("unit", description.unit)
            $0.member("flops_per_step", description.flopsPerStep)
        }
    }

    func record(_ point: RunPoint) throws(Problem) {
        try sink.record(point)
        print("point", point.step) { json in
            json.member("values") { json in
                json.object { json in
                    for (series, value) in point.values {
                        json.key(series)
                        if value.isFinite { json.number(value) } else { json.null() }
                    }
                }
            }
            // JSON has no NaN or infinity: null replaces such values, and "non_finite" records them.
            let others = point.values.filter { !$0.value.isFinite }
            guard !others.isEmpty else { return }
            json.member("non_finite") { json in
                json.object { json in
                    for (series, value) in others {
                        json.member(series, value.isNaN ? "nan" : value > 0 ? "inf" : "-inf")
                    }
                }
            }
        }
    }

    func record(_ sample: RunSample) throws(Problem) {
        try sink.record(sample)
        print("sample", sample.step) {
            $0.member("prompt", sample.prompt)
            $0.member("text", sample.text)
        }
    }

    func record(_ event: RunEvent) throws(Problem) {
        try sink.record(event)
        print("event", event.step) {
            $0.member("kind", "\(event.kind)")
            $0.member("text", event.text)
        }
    }

    func flush() throws(Problem) { try sink.flush() }
    func orders() -> [RunOrder] { sink.orders() }

    private func print(_ type: String, _ step: Int, _ body: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object {
            $0.member("type", type)
            $0.member("step", step)
            body(&$0)
        }
        Output.result(json.text)
    }
}

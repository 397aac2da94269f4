public import JSON
internal import Kernels

extension KernelReport: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("operation", operation)
            json.member("title", title)
            json.member("shape") { json in
                json.object { json in
                    for size in shape.sizes { json.member(size.name, size.value) }
                }
            }
            json.member("threads", threads)
            json.member("machine", machine)
            json.member("measured_at", measuredAt)
            json.member("flops", cost.flops)
            json.member("bytes", cost.bytes)
            json.member("intensity", cost.intensity)
            json.member("working_set_bytes", workingSet)
            json.member("level", level.rawValue)
            json.member("peak", peak)
            json.member("bandwidth", bandwidth)
            json.member("bound", bound.rawValue)
            json.member("attainable", attainable)
            json.member("one_thread", ifPresent: oneThread)
            json.member("rungs") { json in
                json.array { json in
                    for rung in rungs { write(rung, to: &json) }
                }
            }
            json.member("conditions", conditions)
            json.member("counters", counters)
            json.member("notes", notes)
        }
    }

    private func write(_ rung: Rung, to json: inout JSONWriter) {
        json.object { json in
            json.member("name", rung.name)
            json.member("idea", rung.idea)
            json.member("threads", rung.threads)
            switch rung.outcome {
            case .unavailable(let reason):
                json.member("outcome", "unavailable")
                json.member("reason", reason)
            case .disagrees(let difference):
                json.member("outcome", "disagrees")
                json.member("reason", difference)
            case .measured(let figures):
                json.member("outcome", "measured")
                json.member("roof", share(of: rung))
                figures.writeMembers(to: &json)
                if let library, library.name != rung.name {
                    json.member("ratio_to_library", ifPresent: ratio(of: rung.name, to: library.name))
                }
                json.member("ratios") { json in
                    json.object { json in
                        for other in rungs where other.name != rung.name && other.figures != nil {
                            json.member(other.name, ifPresent: ratio(of: rung.name, to: other.name))
                        }
                    }
                }
            }
        }
    }
}

extension KernelReport.Roof: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            rate.writeMembers(to: &json)
        }
    }
}

extension KernelReport.Roofs: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("threads", threads)
            json.member("level", level.rawValue)
            json.member("peak", peak)
            json.member("bandwidth", bandwidth)
        }
    }
}

extension KernelFigures {
    func writeMembers(to json: inout JSONWriter) {
        json.member("operations_per_second", rate)
        json.member("bytes_per_second", bytesPerSecond)
        json.member("traffic_bytes", traffic)
        json.member("intensity", intensity)
        json.member("share_of_attainable", shareOfAttainable)
        json.member("share_of_peak", shareOfPeak)
        json.member("share_p10", shareLow)
        json.member("share_p90", shareHigh)
        json.member("seconds_per_call", secondsPerCall)
        json.member("processor_seconds_per_call", processorSecondsPerCall)
        json.member("cycles_per_call", ifPresent: cyclesPerCall)
        json.member("instructions_per_call", ifPresent: instructionsPerCall)
        json.member("samples", samples)
        json.member("calls", calls)
        json.member("interrupted", interrupted)
        json.member("reliable", isReliable)
        json.member("rounds") { json in
            json.array { json in
                for round in rounds {
                    json.array { json in
                        json.integer(round.round)
                        json.number(round.share)
                    }
                }
            }
        }
        json.member("error") { json in
            json.object { json in
                json.member("checked", agreement.isChecked)
                json.member("worst", agreement.worst)
                json.member("bound", agreement.bound)
                json.member("place", agreement.place)
                json.member("compared", agreement.compared)
            }
        }
    }
}

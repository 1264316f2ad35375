//===- LateWork.h - sums that follow from a call's words --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a loop runs, and where it reads, are expressions of a few values. Code that computes
// them in front of each loop would be larger than many loops are. So a call keeps these values, and
// which loops it entered, in words on its stack, and the runtime computes the expressions when the
// call has ended, if it records: they are data of the program, the steps of
// seamscope/late-work.def. Which loops were entered often follows from the same values, by the
// conditions on the way to them (LateGates.cpp): the call then keeps nothing of it.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LATEWORK_H
#define SEAMSCOPE_PASSES_LATEWORK_H

#include "work/Footprint.h"
#include "work/UniformValues.h"
#include "work/WorkCounter.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace llvm {
class DominatorTree;
class GlobalVariable;
class Module;
class ScalarEvolution;
} // namespace llvm

namespace seamscope {

/// The words of a call: those that its code counts in, one for eight gates, of which each says in a
/// byte that a loop was entered, three for each array whose ranges its code computes, and values.
/// The first word counts nothing: its first byte is 1 until the call's work was added, and the
/// others are those of the first seven gates.
struct WorkWords {
  unsigned Counters = 0, Gates = 0, Arrays = 0, Inputs = 0;

  /// The byte of a gate, in its word.
  static unsigned gateByte(unsigned Number) { return (Number + 1) % 8; }
  unsigned gate(unsigned Number) const { return Number < 7 ? 0 : Counters + (Number - 7) / 8; }
  unsigned array(unsigned Number) const { return Counters + Gates / 8 + 3 * Number; }
  unsigned input(unsigned Number) const { return array(Arrays) + Number; }
  unsigned zeroed() const { return input(0); }
  unsigned all() const { return input(Inputs); }
};

enum LateOperation : unsigned {
#define SEAMSCOPE_LATE(Operation) Late##Operation,
#include "seamscope/late-work.def"
};

/// A number: a word of the call, or the result of a step.
struct LateNumber {
  enum { Counter, GateWord, ArrayWord, InputWord, Step, Plain } Kind = Plain;
  unsigned Index = 0;  ///< of its kind. Plain: the number itself
  unsigned Stream = 0; ///< of a step

  bool operator==(const LateNumber &) const = default;
};

struct LateStep {
  unsigned Operation = 0, Bits = 64;
  LateNumber A, B, C;
  uint64_t Literal = 0;
};

/// Something that runs once a call at most.
struct LateGate {
  const llvm::Loop *Entered = nullptr;
  llvm::BasicBlock *Block = nullptr; ///< without a loop

  bool operator==(const LateGate &) const = default;
};

/// Stands for the pointer of an array: only distances from it matter. It is far from 0, so that
/// they do not wrap.
constexpr uint64_t AnyAddress = uint64_t{1} << 62;

/// The steps for one function.
class LateWork {
public:
  /// \p IsWhole: the words are those of whole calls of the function. Otherwise they are handed over
  /// while it runs, and conditions do not say how far it got.
  LateWork(llvm::ScalarEvolution &Evolution, const llvm::LoopInfo &LI,
           const llvm::DominatorTree &Tree, bool IsWhole)
      : Evolution(Evolution), LI(LI), Tree(Tree), IsWhole(IsWhole) {}

  /// Adds the amount of \p Counter to sum \p Sum if its loop is entered, or its block runs, which
  /// happens once a call at most. \p ValuesOf a loop of one of its ways. False: there are no steps
  /// for it, and the call's code has to do it.
  bool addSum(unsigned Sum, const WorkCounter &Counter,
              llvm::function_ref<UniformValues &(const llvm::Loop &)> ValuesOf);
  /// \p Base: see AnyAddress.
  bool addRange(const FootprintRange &Range, const llvm::Value *Base);

  /// The number of a new word that is added to sum \p Sum. The first, 0, is that of the calls.
  unsigned addCounter(unsigned Sum);
  /// The number of three new words for \p Array.
  unsigned addArray(unsigned Array);

  /// Finds the gates that follow from the values that the call keeps, by the conditions on the way
  /// to them. Call it last.
  void deriveGates();

  /// What a call keeps.
  struct Input {
    llvm::Value *Of;
    const llvm::Loop *Before; ///< kept in front of this loop; null: when it is computed
  };
  llvm::ArrayRef<Input> inputs() const { return Inputs; }
  /// Those that the call's code has to open.
  llvm::SmallVector<LateGate> gates() const;
  WorkWords words() const;

  /// The SeamscopeWork of a function with so many sums.
  llvm::GlobalVariable *write(llvm::Module &M, size_t Counters, size_t Arrays) const;

  // For UniformValues:
  using Made = LateNumber;
  Made always() { return literal(1); }
  Made never() { return literal(0); }
  Made either(Made One, Made Other);
  Made both(Made One, Made Other);
  Made inverse(Made Of);
  Made choose(Made Is, Made Then, Made Else);
  Made value(llvm::Value &Of);
  std::optional<Made> &made(const llvm::Value &Of) { return known({&Of, nullptr, Into}); }

private:
  using Number = LateNumber;
  using Step = LateStep;
  using Stream = std::vector<Step>;
  /// What is known of an expression or value; the array's pointer, if that is in it; the stream.
  using Place = std::tuple<const void *, const llvm::Value *, unsigned>;

  bool attempt(const LateGate &Gate, llvm::function_ref<void()> Add);
  std::optional<Number> withoutNewInputs(llvm::function_ref<Number()> Make);
  void takeBack(size_t Places, size_t OfInputs, size_t Common, size_t Own);
  bool hasRoom() const;
  bool goOn();
  Number reached(llvm::BasicBlock &Block);
  Number takes(llvm::BasicBlock &From, llvm::BasicBlock &To);
  llvm::SmallVector<unsigned> gatesBehind(const llvm::BasicBlock &First) const;
  Number isPassed(unsigned Gate);
  Number entered(const llvm::Loop &L);
  std::optional<Number> chosenByWay(llvm::PHINode &Phi);
  LateGate gateOf(const llvm::Loop &L);
  size_t length() const;
  std::optional<Number> &known(const Place &Of);
  Number number(const llvm::SCEV *Of);
  Number make(const llvm::SCEV &Of);
  Number leaf(llvm::Value &Of);
  Number condition(llvm::Value &Of);
  Number inputFor(llvm::Value &Of);
  Number literal(uint64_t Value);
  Number test(llvm::CmpInst::Predicate Is, const llvm::SCEV *LeftOf, const llvm::SCEV *RightOf);
  Number add(unsigned Operation, unsigned Bits, Number A, Number B = {}, Number C = {});
  Number fail();
  bool isEarly(const llvm::SCEV *Of) const;

  llvm::ScalarEvolution &Evolution;
  const llvm::LoopInfo &LI;
  const llvm::DominatorTree &Tree;
  const bool IsWhole;
  llvm::SmallVector<LateGate> Gates;
  std::set<size_t> Kept;              ///< gates that other numbers depend on
  const LateGate *Deriving = nullptr; ///< this gate is derived
  std::map<size_t, Number> Derived;   ///< by gate: whether it was passed, where no byte says so
  llvm::SmallVector<Input> Inputs;
  unsigned Counters = 0, Arrays = 0;
  Stream Words; ///< the sums of counters and of arrays that the code keeps
  std::vector<Stream> Steps = std::vector<Stream>(1); ///< of all calls, then those behind each gate
  std::map<Place, std::optional<Number>> Known;
  std::map<std::pair<uint64_t, unsigned>, Number> Literals;
  // While something is added:
  const llvm::Loop *Around = nullptr;
  UniformValues *Uniform = nullptr;
  const llvm::Value *Base = nullptr; ///< the array's pointer, if it does not matter
  unsigned Into = 0;                 ///< the stream
  unsigned Left = 0;                 ///< blocks and phis that may still be looked at
  bool OnlyKept = false; ///< inputs must be there already, for all calls that compute them
  bool Failed = false;
  llvm::SmallVector<Place> New; ///< places in Known
};

/// The contents of a SeamscopeWork, to tell them apart.
std::string contentsOf(const llvm::GlobalVariable &Work);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LATEWORK_H

// Box2D: a pyramid of boxes falls. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data.h"
#include <box2d/box2d.h>
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    b2World world(b2Vec2(0, -10));
    b2BodyDef ground;
    b2EdgeShape edge;
    edge.SetTwoSided(b2Vec2(-40, 0), b2Vec2(40, 0));
    world.CreateBody(&ground)->CreateFixture(&edge, 0);
    b2PolygonShape box;
    box.SetAsBox(0.5f, 0.5f);
    for (int row = 0; row < 6; ++row)
      for (int i = row; i < 6; ++i) {
        b2BodyDef body;
        body.type = b2_dynamicBody;
        body.position.Set(float(i) * 1.1f - 0.55f * float(row), 0.75f + 1.1f * float(row));
        world.CreateBody(&body)->CreateFixture(&box, 5);
      }
    for (int step = 0; step < 40; ++step)
      world.Step(1 / 60.f, 8, 3);
    for (b2Body *body = world.GetBodyList(); body; body = body->GetNext()) {
      float state[3] = {body->GetPosition().x, body->GetPosition().y, body->GetAngle()};
      sum = data_sum(sum, state, sizeof state);
    }
  }
  data_print(sum);
}
